/** Prepares a GitHub-hosted runner for a sandbox through passwordless sudo. */
import { findPrograms, type Programs, pickPrograms } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { appArmor } from './advice.ts';
import type { MachineOptions } from './machine.ts';

type HostedRunnerOptions = Pick<MachineOptions, 'programs' | 'workspacePath'> & {
  readonly log: (line: string) => void;
};

type Sudo = (argv: readonly string[], timeoutMs: number) => ReturnType<typeof runProcess>;

const sudoBy =
  (sudo: string, { searchPath }: Programs): Sudo =>
  (argv, timeoutMs) =>
    runProcess({
      argv: [sudo, '-n', ...argv],
      cwd: '/',
      env: { PATH: searchPath, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs,
      maxOutputBytes: 4000,
      signal: new AbortController().signal,
    });

/** How a sandbox is searched for on a runner that is being prepared. */
interface Search<T> {
  find(programs?: Programs): Promise<T>;
  holdsAll(found: T): boolean;
}

/** Allows namespaces and installs bubblewrap, each only while a guarantee is missing. `close` undoes the first. */
export async function prepareHosted<T>(
  hosted: HostedRunnerOptions,
  { find, holdsAll }: Search<T>,
): Promise<{ readonly found: T | undefined; close(): Promise<void> }> {
  const restore = await allowNamespaces(hosted);
  const close = async () => restore?.();
  const found = restore === undefined ? undefined : await find();
  if (found !== undefined && holdsAll(found)) return { found, close };
  const programs = await installBubblewrap(hosted);
  return { found: programs === undefined ? found : await find(programs), close };
}

/**
 * Lifts the restriction on user namespaces (Ubuntu 23.10 and later).
 * @returns a function that restores it; undefined when there was nothing to lift.
 */
async function allowNamespaces({
  programs,
  log,
}: HostedRunnerOptions): Promise<(() => Promise<void>) | undefined> {
  const tools = pickPrograms(programs, ['sudo', 'sysctl']);
  if (tools === undefined) return undefined;
  const sudo = sudoBy(tools.sudo, programs);
  const before = await sudo([tools.sysctl, '-n', appArmor], 10_000);
  if (before.exitCode !== 0 || before.output.trim() !== '1') return undefined;
  log(`Sandbox: setting ${appArmor} to 0 for this run. It is restored afterwards.`);
  await sudo([tools.sysctl, '-w', `${appArmor}=0`], 10_000);
  return async () => {
    await sudo([tools.sysctl, '-w', `${appArmor}=1`], 10_000);
  };
}

/** Installs bubblewrap if it is missing. Returns the programs with bubblewrap; undefined when it was not installed. */
async function installBubblewrap({
  programs,
  workspacePath,
  log,
}: HostedRunnerOptions): Promise<Programs | undefined> {
  const tools = pickPrograms(programs, ['sudo', 'apt-get']);
  if (programs.paths.bwrap !== undefined || tools === undefined) return undefined;
  const sudo = sudoBy(tools.sudo, programs);
  const apt = tools['apt-get'];
  if ((await sudo([apt, '--version'], 10_000)).exitCode !== 0) return undefined;
  log('Sandbox: installing bubblewrap.');
  const install = () =>
    sudo([apt, 'install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'], 180_000);
  // the package list of the image can be too old to install from
  if ((await install()).exitCode !== 0) {
    await sudo([apt, 'update', '-qq'], 180_000);
    await install();
  }
  const found = findPrograms(programs.searchPath, [workspacePath]);
  return found.paths.bwrap === undefined ? undefined : found;
}
