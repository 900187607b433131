/** The namespaces launcher: a sandbox built with util-linux, for machines without bubblewrap. */
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digest } from '../../base/digest.ts';
import { type Programs, pickPrograms } from '../../process/programs.ts';
import { isBelow, type Link } from '../../workspace/files/locate.ts';
import { mountLine, type TableMount } from '../../workspace/views/overlay.ts';
import type { Part } from '../readable.ts';
import type { CommandSpec } from '../sandbox.ts';
import {
  emptyBytes,
  insideArguments,
  kernelControls,
  type Launcher,
  type Machine,
  makeLaunch,
  type RootEntry,
  sharedBytes,
  shownFolders,
} from './launcher.ts';

const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--cgroup'];
const noPrivileges = '--no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const needed = [
  'unshare',
  'setpriv',
  'sh',
  'mount',
  'umount',
  'pivot_root',
  'mkdir',
  'sed',
] as const;

/** The first one found brings up the loopback interface. */
const optional = ['ip', 'ifconfig', 'perl'] as const;

/** Folders of Photon that the commands of this launcher share, and those of no other launcher. */
interface NamespacesFolders {
  /** An empty folder, where the root of each command is mounted. */
  readonly rootFolder: string;
  /** The links, folders and empty files of each root, which is this folder, read-only, under its mounts. */
  readonly skeleton: string;
  /** Holds the tables of mounts, each named by its content. */
  readonly tables: string;
}

/**
 * Launches commands through `unshare`, `setpriv`, `mount` and `pivot_root` of util-linux (docs/sandbox.md);
 * undefined when a program that it needs is missing.
 * @param links the links of the machine, which are the same for all commands.
 */
export function namespacesLauncher(
  programs: Programs,
  folders: NamespacesFolders,
  links: readonly Link[],
): Launcher | undefined {
  const tools = pickPrograms(programs, needed);
  if (tools === undefined) return undefined;
  makeSkeleton(folders, links);
  const { setpriv, unshare, sh, mount } = tools;
  const own = [...needed, ...optional].flatMap(name => {
    const path = programs.paths[name];
    return path === undefined ? [] : [`${name}() { ${quote(path)} "$@"; }`];
  });
  return {
    name: 'namespaces',
    mounts: true,
    launch: (machine, command) => ({
      ...makeLaunch(machine),
      argv: [
        ...command.view.enter,
        setpriv,
        '--pdeathsig',
        'KILL',
        unshare,
        ...namespaces,
        command.network ? undefined : '--net',
        '--fork',
        '--kill-child',
        sh,
        '-c',
        script(machine, { ...command, ...folders, own, setpriv, unshare, mount }),
        'sh',
        ...insideArguments(machine, sh, programs.paths.perl),
        ...command.argv,
      ].filter(item => item !== undefined),
    }),
  };
}

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'] as const;

const deviceLinks: readonly Link[] = [
  { at: '/dev/ptmx', to: 'pts/ptmx' },
  { at: '/dev/fd', to: '/proc/self/fd' },
  ...['stdin', 'stdout', 'stderr'].map((name, n) => ({
    at: `/dev/${name}`,
    to: `/proc/self/fd/${n}`,
  })),
];

/** Makes everything in a root that is not a mount. */
function makeSkeleton(folders: NamespacesFolders, links: readonly Link[]): void {
  const { rootFolder, skeleton, tables } = folders;
  const own = ['dev/pts', 'dev/shm'].map(name => join(skeleton, name));
  for (const folder of [rootFolder, tables, ...own]) mkdirSync(folder, { recursive: true });
  for (const name of devices) writeFileSync(join(skeleton, 'dev', name), '');
  for (const { at, to } of [...links, ...deviceLinks]) {
    mkdirSync(join(skeleton, dirname(at)), { recursive: true });
    symlinkSync(to, join(skeleton, at));
  }
}

type Walls = Pick<CommandSpec, 'view' | 'cwd' | 'network' | 'readOnly'> &
  NamespacesFolders & {
    /** Shell functions that call programs by their absolute paths. */
    readonly own: readonly string[];
    readonly setpriv: string;
    readonly unshare: string;
    readonly mount: string;
  };

/**
 * The script that builds the sandbox: it mounts the shown folders in an empty root, makes everything except the view
 * read-only, switches to that root, drops its privileges, and becomes the command. One process mounts all lines of a table.
 * Later tables lie beside the new root, and vanish with the old one.
 */
function script(machine: Machine, walls: Walls): string {
  const { rootFolder, cwd, network, own, setpriv, unshare, mount } = walls;
  const { workspacePath, user } = machine;
  const root = join(rootFolder, 'root');
  const mounts = listMounts(shownFolders(machine, walls), walls);
  const open = mounts.open.map(at => `${join(root, at)}|`);
  return [
    // the PATH belongs to the command; a program found through it before the new root exists would run on the host
    `set -e; umask 022; path=$PATH; PATH=/nonexistent; mount=${quote(mount)}`,
    ...own,
    `r=${quote(root)}; t=${quote(join(rootFolder, 'table'))}; open=${quote(`|${open.join('')}`)}`,
    functions,
    `mount_table ${quote(writeTable(mounts.first, walls))}`,
    ...mounts.later.map(({ at }) => `point ${quote(at)}`),
    mounts.later.length === 0
      ? undefined
      : `add ${mounts.later.map(m => quote(lineBelow(root, m))).join(' ')}; mount_table "$t"; : > "$t"`,
    'seal_all',
    network ? undefined : loopback,
    leaveOldRoot,
    `cd ${quote(join(workspacePath, cwd))}`,
    'PATH=$path',
    user === undefined
      ? `exec ${quote(setpriv)} ${noPrivileges} -- "$@"`
      : `exec ${quote(unshare)} --user --map-user=${user.uid} --map-group=${user.gid} ${quote(setpriv)} --no-new-privs -- "$@"`,
  ]
    .filter(item => item !== undefined)
    .join('\n');
}

const lineBelow = (root: string, mount: TableMount) =>
  mountLine({ ...mount, at: join(root, mount.at) });

/** Writes the table that makes a root and mounts in it. Returns its path. */
function writeTable(mounts: readonly TableMount[], folders: NamespacesFolders): string {
  const { rootFolder, skeleton, tables } = folders;
  const root = join(rootFolder, 'root');
  const lines = [
    mountLine(empty(rootFolder)),
    mountLine(bind({ at: root, from: skeleton }, 'bind,X-mount.mkdir')),
    ...mounts.map(mount => lineBelow(root, mount)),
  ];
  const text = `${lines.join('\n')}\n`;
  const path = join(tables, digest(text));
  if (!existsSync(path)) writeFileSync(path, text);
  return path;
}

interface Mounts {
  readonly first: readonly TableMount[];
  /** Files inside folders that are empty or belong to the view; each needs a file to be mounted on. */
  readonly later: readonly TableMount[];
  /** The mount points that do not become read-only. */
  readonly open: readonly string[];
}

/** What is mounted in a root, by paths of this root. Makes the files that others are mounted on in the skeleton. */
function listMounts(
  shown: readonly RootEntry[],
  { rootFolder, skeleton }: NamespacesFolders,
): Mounts {
  const folders: TableMount[] = [];
  const files: TableMount[] = [];
  for (const entry of shown) {
    if (entry.kind === 'link') continue;
    const { at } = entry;
    if (entry.kind === 'empty') folders.push(empty(at));
    // a folder of the view may exist only where the view is mounted
    else if (entry.kind === 'writable') folders.push(bind(entry, 'bind,X-mount.mkdir'));
    else if (isFolder(entry.from)) folders.push(bind(entry, 'rbind,X-mount.mkdir'));
    else if (existsSync(entry.from)) files.push(bind(entry, 'bind'));
  }
  const own = devices.map(name => bind({ at: `/dev/${name}`, from: `/dev/${name}` }, 'bind'));
  const controls = kernelControls
    .filter(at => existsSync(at))
    .map(at => bind({ at, from: join(rootFolder, 'root', at) }, 'bind'));
  const writable = shown.filter(s => s.kind === 'empty' || s.kind === 'writable');
  const open = ['/proc', '/dev/pts', '/dev/shm', ...writable.map(({ at }) => at)];
  const isLater = ({ at }: TableMount) => open.some(folder => isBelow(at, folder));
  const early = files.filter(file => !isLater(file));
  for (const { at } of early)
    if (!folders.some(folder => isBelow(at, folder.at))) makePoint(skeleton, at);
  return {
    first: [...system, ...folders, ...early, ...own, ...controls],
    later: files.filter(isLater),
    open: [...open, ...own.map(({ at }) => at)],
  };
}

function makePoint(skeleton: string, at: string): void {
  const path = join(skeleton, at);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

const bind = ({ from, at }: Part, options: string): TableMount => ({
  type: 'none',
  from,
  at,
  options,
});

const empty = (at: string): TableMount => ({
  type: 'tmpfs',
  at,
  options: `mode=0755,nosuid,nodev,size=${emptyBytes},X-mount.mkdir`,
});

/**
 * What every root has. It is mounted before what the machine shows, because a checkout, a tool or a scratch folder can lie
 * below `/dev/shm`.
 */
const system: readonly TableMount[] = [
  {
    type: 'devpts',
    at: '/dev/pts',
    options: 'newinstance,ptmxmode=0666,mode=620,X-mount.mkdir',
  },
  {
    type: 'tmpfs',
    at: '/dev/shm',
    options: `mode=1777,nosuid,nodev,size=${sharedBytes},X-mount.mkdir`,
  },
  { type: 'proc', at: '/proc', options: 'X-mount.mkdir' },
];

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

/**
 * No path below `$r` passes through a link: everything is mounted at its real path, and inside folders that
 * commands can change, mounts lie only on folders that are mounts themselves (`heldIn`). Mount options
 * are kept, because a user namespace must not remove a flag that the host set. What cannot become read-only
 * is covered. The source of a remount has a name that no mount has: `mount -a` skips what it finds mounted, by
 * source and folder, and the source of many is "none".
 */
const functions = `
add() { printf '%s\\n' "$@" >> "$t"; }
mount_table() { said=$(exec "$mount" -n -a -T "$1" 2>&1) || { printf '%s\\n' "$said" >&2; return 1; }; }
point() { [ -e "$r$1" ] || { mkdir -p "$r\${1%/*}"; : > "$r$1"; }; }
kept() {
  k=; IFS=,
  for o in $1; do
    case "$o" in nosuid|nodev|noexec|noatime|nodiratime|relatime) k="$k$o," ;; esac
  done
  unset IFS
}
each_unsealed() {
  while read -r _ _ _ _ raw flags _; do
    at=$raw
    case "$at" in *'\\'*) at=$(printf '%b' "$(printf '%s' "$at" | sed 's/\\\\/\\\\0/g')") ;; esac
    case "$at" in "$r"|"$r"/*) ;; *) continue ;; esac
    case "$open" in *"|$at|"*) continue ;; esac
    case "$flags" in ro,*) ;; *) kept "$flags"; "$1" ;; esac
  done < /proc/self/mountinfo
}
by_table() { add "sealed $raw none remount,bind,ro,\${k}nosuid,nodev 0 0"; }
one() { mount -o "remount,bind,ro,\${k}nosuid,nodev" "$at" 2>/dev/null || mount -t tmpfs -o ro tmpfs "$at"; }
seal_all() { each_unsealed by_table; mount_table "$t" 2>/dev/null || :; each_unsealed one; }`;

/** The old root comes to lie over the new one, and goes. Nothing but the new one may be left at the top. */
const leaveOldRoot = `
cd "$r"; pivot_root . .; umount -n -l .; cd /; n=0
while read -r _ _ _ _ at _; do [ "$at" != / ] || n=$((n+1)); done < /proc/self/mountinfo
[ $n = 1 ] || exit 1`;

const loopback = `
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null ||
  perl -MSocket -e 'socket(S,AF_INET,SOCK_DGRAM,0);$r=pack("a16sx22","lo",65);exit !ioctl(S,0x8914,$r)'`;
