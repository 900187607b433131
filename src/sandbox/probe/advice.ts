/** What to change on a machine so that every guarantee of the sandbox holds, and the change of a GitHub-hosted runner through sudo. */
import { existsSync, readFileSync } from 'node:fs';
import { attempt } from '../../base/system-errors.ts';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { systemName } from '../../process/system.ts';
import type { MachineOptions } from './machine.ts';

const appArmor = 'kernel.apparmor_restrict_unprivileged_userns';

/** The machine that the advice is for. */
interface AdvisedMachine {
  readonly platform: NodeJS.Platform;
  /** The text of a file; empty if it cannot be read. */
  readonly read: (path: string) => string;
  readonly isRoot: boolean;
}

const thisMachine: AdvisedMachine = {
  platform: systemName,
  read: readOr,
  isRoot: process.getuid?.() === 0,
};

/** How to install packages, by the names in `ID` and `ID_LIKE` of /etc/os-release. */
const installers: ReadonlyMap<string, string> = new Map([
  ['alpine', 'apk add'],
  ['debian', 'apt-get install'],
  ['ubuntu', 'apt-get install'],
  ['fedora', 'dnf install'],
  ['rhel', 'dnf install'],
  ['arch', 'pacman -S'],
  ['suse', 'zypper install'],
]);

/** What to change, the most likely cause first. */
export function sandboxAdvice(
  { paths }: Programs,
  { platform, read, isRoot }: AdvisedMachine = thisMachine,
): readonly string[] {
  if (platform !== 'linux')
    return [
      'The sandbox of macOS is experimental, and only Linux gives every guarantee. Run Photon in a Linux container or on a Linux runner.',
    ];
  const control = (path: string) => read(`/proc/sys/${path}`).trim();
  return [
    paths.bwrap === undefined ? howToInstall('bubblewrap', read('/etc/os-release')) : undefined,
    !isRoot && control('kernel/apparmor_restrict_unprivileged_userns') === '1'
      ? `Allow user namespaces: sysctl -w ${appArmor}=0, or load the AppArmor profile of bwrap.`
      : undefined,
    control('user/max_user_namespaces') === '0'
      ? 'Allow user namespaces: sysctl -w user.max_user_namespaces=10000.'
      : undefined,
    !isRoot && control('kernel/unprivileged_userns_clone') === '0'
      ? 'Allow user namespaces: sysctl -w kernel.unprivileged_userns_clone=1.'
      : undefined,
    existsSync('/.dockerenv') || existsSync('/run/.containerenv')
      ? 'In a container, allow namespaces: set the security options seccomp and apparmor to unconfined.'
      : undefined,
  ].filter(item => item !== undefined);
}

function howToInstall(name: string, release: string): string {
  const ids = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)];
  const [known] = ids
    .flatMap(([, text = '']) => text.split(' '))
    .flatMap(id => installers.get(id) ?? []);
  return known === undefined
    ? `Install ${name} with the package manager of this system.`
    : `Install ${name}: ${known} ${name}.`;
}

function readOr(path: string): string {
  return attempt(() => readFileSync(path, 'utf8')) ?? '';
}

type HostedRunnerOptions = Pick<MachineOptions, 'programs'> & {
  readonly log: (line: string) => void;
};

/**
 * Lifts the restriction on user namespaces of a GitHub-hosted runner (Ubuntu 23.10 and later).
 * @returns a function that restores it; undefined when there was nothing to lift.
 */
export async function allowNamespaces({
  programs,
  log,
}: HostedRunnerOptions): Promise<(() => Promise<void>) | undefined> {
  const tools = pickPrograms(programs, ['sudo', 'sysctl']);
  if (tools === undefined) return undefined;
  const control = (...words: readonly string[]) =>
    runProcess({
      argv: [tools.sudo, '-n', tools.sysctl, ...words],
      cwd: '/',
      env: { PATH: programs.searchPath },
      timeoutMs: 10_000,
      maxOutputBytes: 4000,
      signal: new AbortController().signal,
    });
  const before = await control('-n', appArmor);
  if (before.exitCode !== 0 || before.output.trim() !== '1') return undefined;
  log(`Sandbox: setting ${appArmor} to 0 for this run. It is restored afterwards.`);
  await control('-w', `${appArmor}=0`);
  return async () => {
    await control('-w', `${appArmor}=1`);
  };
}
