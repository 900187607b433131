/** What to change on a machine so that every guarantee of the sandbox holds. */
import { existsSync, readFileSync } from 'node:fs';
import type { Programs } from '../../process/programs.ts';
import { systemName } from '../../process/this-platform.ts';

export const appArmor = 'kernel.apparmor_restrict_unprivileged_userns';

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
const installers: Readonly<Record<string, string>> = {
  alpine: 'apk add',
  debian: 'apt-get install',
  ubuntu: 'apt-get install',
  fedora: 'dnf install',
  rhel: 'dnf install',
  arch: 'pacman -S',
  suse: 'zypper install',
};

/** What to change, the most likely cause first. */
export function sandboxAdvice(
  { paths }: Programs,
  { platform, read, isRoot }: AdvisedMachine = thisMachine,
): readonly string[] {
  if (platform === 'win32')
    return [
      'Photon has no sandbox for Windows. For a sandbox, run it in WSL 2, in a Linux container, or on a Linux runner.',
    ];
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
  const known = ids.flatMap(([, text = '']) => text.split(' ')).find(id => id in installers);
  return known === undefined
    ? `Install ${name} with the package manager of this system.`
    : `Install ${name}: ${installers[known]} ${name}.`;
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // this system has no such file
  }
}
