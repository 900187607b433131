/** The namespaces launcher: a sandbox built with util-linux, for machines without bubblewrap. */
import { join } from 'node:path';
import { type Programs, pickPrograms } from '../process/programs.ts';
import {
  emptyBytes,
  insideArguments,
  kernelControls,
  type Launcher,
  type Machine,
  type RootEntry,
  sandboxed,
  sharedBytes,
  shownFolders,
} from './launcher.ts';
import type { CommandSpec } from './sandbox.ts';

const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--cgroup'];
const noPrivileges = '--no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const needed = [
  'unshare',
  'setpriv',
  'prlimit',
  'sh',
  'cat',
  'mount',
  'umount',
  'pivot_root',
  'mkdir',
  'rmdir',
  'ln',
  'sed',
] as const;

/** The first one found brings up the loopback interface. */
const optional = ['ip', 'ifconfig', 'perl'] as const;

/**
 * Launches commands through `unshare`, `setpriv`, `mount` and `pivot_root` of util-linux (docs/sandbox.md);
 * null when a program that it needs is missing.
 * @param rootFolder an empty folder of Photon, where the root of each command is mounted.
 */
export function namespacesLauncher(programs: Programs, rootFolder: string): Launcher | null {
  const tools = pickPrograms(programs, needed);
  if (tools === null) return null;
  const { setpriv, unshare, sh } = tools;
  const own = [...needed, ...optional].flatMap(name => {
    const path = programs.paths[name];
    return path === undefined ? [] : [`${name}() { ${quote(path)} "$@"; }`];
  });
  return {
    name: 'namespaces',
    launch: (machine, command) => ({
      ...sandboxed(machine),
      argv: [
        ...command.view.enter,
        setpriv,
        '--pdeathsig',
        'KILL',
        unshare,
        ...namespaces,
        ...(command.network ? [] : ['--net']),
        '--fork',
        '--kill-child',
        sh,
        '-c',
        script(machine, { ...command, rootFolder, own, setpriv, unshare }),
        'sh',
        ...insideArguments(tools),
        ...command.argv,
      ],
    }),
  };
}

type Walls = Pick<CommandSpec, 'view' | 'cwd' | 'network'> & {
  readonly rootFolder: string;
  /** Shell functions that call programs by their absolute paths. */
  readonly own: readonly string[];
  readonly setpriv: string;
  readonly unshare: string;
};

/**
 * The script that builds the sandbox: it makes an empty root, mounts the shown folders in it, makes everything
 * except the view read-only, switches to that root, drops its privileges, and becomes the command.
 */
function script(machine: Machine, walls: Walls): string {
  const { rootFolder, view, cwd, network, own, setpriv, unshare } = walls;
  const { workspacePath, user } = machine;
  return [
    // the PATH belongs to the command; a program found through it before the new root exists would run on the host
    'set -e; umask 022; path=$PATH; PATH=/nonexistent',
    ...own,
    `r=${quote(rootFolder)}`,
    functions,
    `mount -t tmpfs -o mode=0755,nosuid,nodev,size=${emptyBytes} tmpfs "$r"`,
    'mkdir "$r/dev" "$r/proc"; open="|"',
    ...shownFolders(machine, view).map(lineFor),
    'seal_all',
    devices,
    'mount -t proc proc "$r/proc"',
    ...kernelControls.map(path => `seal ${quote(path)}`),
    ...(network ? [] : [loopback]),
    'mkdir "$r/run/old"; cd "$r"; pivot_root . run/old; umount -l /run/old; rmdir /run/old',
    `cd ${quote(join(workspacePath, cwd))}`,
    'PATH=$path',
    user === null
      ? `exec ${quote(setpriv)} ${noPrivileges} -- "$@"`
      : `exec ${quote(unshare)} --user --map-user=${user.uid} --map-group=${user.gid} ${quote(setpriv)} --no-new-privs -- "$@"`,
  ].join('\n');
}

function lineFor(shown: RootEntry): string {
  if (shown.kind === 'empty') return `empty ${quote(shown.at)}`;
  if (shown.kind === 'link') return `link ${quote(shown.to)} ${quote(shown.at)}`;
  return `${shown.kind === 'writable' ? 'writable' : 'show'} ${quote(shown.from)} ${quote(shown.at)}`;
}

/**
 * No path below `$r` passes through a link: everything is mounted at its real path, and inside folders that
 * commands can change, mounts lie only on folders that are mounts themselves (`heldIn`). Mount options
 * are kept, because a user namespace must not remove a flag that the host set.
 */
const functions = `
read_only() { mount -o "remount,bind,ro,$2" "$1" 2>/dev/null || mount -t tmpfs -o ro tmpfs "$1"; }
kept() {
  k=; IFS=,
  for o in $1; do
    case "$o" in nosuid|nodev|noexec|noatime|nodiratime|relatime) k="$k$o," ;; esac
  done
  unset IFS
}
seal_all() {
  while read -r _ _ _ _ at flags _; do
    case "$at" in *'\\'*) at=$(printf '%b' "$(printf '%s' "$at" | sed 's/\\\\/\\\\0/g')") ;; esac
    case "$at" in "$r"|"$r"/*) ;; *) continue ;; esac
    case "$open" in *"|$at|"*) ;; *) kept "$flags"; read_only "$at" "$k" ;; esac
  done < /proc/self/mountinfo
}
seal() { [ ! -e "$r$1" ] || { mount --bind "$r$1" "$r$1"; read_only "$r$1" nosuid,nodev,noexec,relatime; }; }
point() { # a folder, or a file, to mount on
  if [ -d "$1" ]; then mkdir -p "$r$2"
  elif [ ! -e "$r$2" ]; then mkdir -p "$r\${2%/*}"; : > "$r$2"; fi
}
empty() { mkdir -p "$r$1"; mount -t tmpfs -o mode=0755,nosuid,nodev,size=${emptyBytes} tmpfs "$r$1"; open="$open$r$1|"; }
link() { mkdir -p "$r\${2%/*}"; ln -s "$1" "$r$2"; }
writable() { point "$1" "$2"; mount --bind "$1" "$r$2"; open="$open$r$2|"; }
show() {
  [ -e "$1" ] || return 0
  point "$1" "$2"
  if [ -d "$1" ]; then mount --rbind "$1" "$r$2"
  elif mount -o bind,ro,nosuid,nodev,relatime "$1" "$r$2" 2>/dev/null; then open="$open$r$2|" # already read-only
  else mount --bind "$1" "$r$2"; fi
}`;

/** A `/dev` with only the devices that every program needs. */
const devices = `
mount -t tmpfs -o mode=0755,nosuid tmpfs "$r/dev"
for d in null zero full random urandom tty; do : > "$r/dev/$d"; mount --bind "/dev/$d" "$r/dev/$d"; done
mkdir -m 1777 "$r/dev/shm"; mkdir "$r/dev/pts"
ln -s pts/ptmx "$r/dev/ptmx"; ln -s /proc/self/fd "$r/dev/fd"
for n in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${n%%:*}" "$r/dev/\${n#*:}"; done
read_only "$r/dev" nosuid,relatime
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$r/dev/pts"
mount -t tmpfs -o mode=1777,nosuid,nodev,size=${sharedBytes} tmpfs "$r/dev/shm"`;

const loopback = `
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null ||
  perl -MSocket -e 'socket(S,AF_INET,SOCK_DGRAM,0);$r=pack("a16sx22","lo",65);exit !ioctl(S,0x8914,$r)'`;
