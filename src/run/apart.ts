/** Whether commands may run at the same time. Pure. */
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Settings } from '../settings/settings.ts';

/** False if commands that run at the same time would share the ports of the machine, or its temporary files. */
export function isApart(
  { launcher }: Pick<Sandbox, 'launcher'>,
  { network }: Pick<Settings, 'network'>,
): boolean {
  const own = launcher === 'bubblewrap' || launcher === 'namespaces';
  return own && (network.commands !== 'allow' || network.hosts !== null);
}
