/** A GitHub-hosted runner, where passwordless sudo may open the way for a sandbox. */
import { appArmor, findProgram, type MachineOptions } from './machine.ts';
import { runProcess } from './process.ts';

type Sudo = (argv: readonly string[], timeoutMs: number) => ReturnType<typeof runProcess>;

const sudo: Sudo = (argv, timeoutMs) =>
  runProcess({
    argv: ['sudo', '-n', ...argv],
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs,
    maxOutputBytes: 4000,
    signal: new AbortController().signal,
  });

/**
 * Lifts the restriction on user namespaces (Ubuntu 23.10 and later).
 * @returns restores it; null when there was nothing to lift.
 */
export async function allowNamespaces(
  log: (line: string) => void,
): Promise<(() => Promise<void>) | null> {
  const before = await sudo(['sysctl', '-n', appArmor], 10_000);
  if (before.exitCode !== 0 || before.output.trim() !== '1') return null;
  log(`Sandbox: ${appArmor} is set to 0 for this run and restored after it.`);
  await sudo(['sysctl', '-w', `${appArmor}=0`], 10_000);
  return async () => {
    await sudo(['sysctl', '-w', `${appArmor}=1`], 10_000);
  };
}

/** Installs bubblewrap where it is missing; true when it is there then. */
export async function installBubblewrap(
  options: Pick<MachineOptions, 'env' | 'workspacePath'> & { readonly log: (line: string) => void },
): Promise<boolean> {
  if (findProgram('bwrap', options) !== null) return false;
  if ((await sudo(['true'], 10_000)).exitCode !== 0) return false;
  options.log('Sandbox: installing bubblewrap.');
  const install = () =>
    sudo(['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'], 180_000);
  // the list of packages of an image can be too old to install from
  if ((await install()).exitCode !== 0) {
    await sudo(['apt-get', 'update', '-qq'], 180_000);
    await install();
  }
  return findProgram('bwrap', options) !== null;
}
