/** Finds the parts of this machine that commands can read: an allow-list; everything else does not exist for them. */
import { accessSync, constants, existsSync, lstatSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import { splitWords } from '../base/plural.ts';
import { succeeds } from '../base/system-errors.ts';
import { childEnvironment, type Environment } from '../process/environment.ts';
import {
  isBelow,
  isWithin,
  type Link,
  linkText,
  listAncestors,
  locate,
  readEntries,
  realPath,
} from '../workspace/files/locate.ts';

/** System folders of Linux, then of macOS. Files in `/etc` that only their owner can read stay hidden. */
export const systemFolders: readonly string[] = splitWords(`
  /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /sys /nix/store /gnu/store
  /var/lib/dpkg /var/lib/gems /var/lib/ghc /var/lib/texmf /var/cache/fontconfig
  /etc/resolv.conf /etc/ssl/certs /etc/pki
  /System/Library /System/Cryptexes /System/Volumes/Preboot/Cryptexes
  /Library/Apple /Library/Developer /Library/Frameworks /Library/Java /Library/Perl /Library/Python
  /private/var/select /private/var/db/dyld /private/var/db/timezone /private/var/db/xcode_select_link
  /opt/homebrew /opt/local /Applications/Xcode.app/Contents/Developer`);

/** Folders that commands see as empty and writable. */
export const emptyFolders: readonly string[] = splitWords('/run /var/tmp');

/** Folders that are not shown; one that is a link is recreated as a link. */
const linkedFolders = splitWords('/var/run /var/lock /home /root');

/** Tool and cache folders below the home folder; never one that holds credentials. */
export const homeFolders: readonly string[] = splitWords(`
  .cargo/bin .cargo/registry .cargo/git .rustup go/bin go/pkg
  .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .ivy2/cache .sbt/boot .konan
  .npm/_cacache .nvm .fnm .volta .bun/bin .bun/install .deno/bin .yarn/berry
  .pyenv .rbenv .rvm .asdf .sdkman .ghcup .cabal/packages .stack/snapshots .opam .pub-cache/hosted
  .dotnet/sdk .dotnet/shared .dotnet/host .dotnet/tools .nuget/packages
  .local/bin .local/lib .local/share/pnpm .local/share/uv .local/share/mise .local/share/fnm
  .cache/pip .cache/uv .cache/pypoetry .cache/pipenv .cache/pre-commit .cache/virtualenv
  .cache/go-build .cache/golangci-lint .cache/staticcheck .cache/ccache .cache/sccache .cache/zig
  .cache/bazel .cache/bazelisk .cache/bazel-disk .cache/coursier .cache/composer
  .cache/node .cache/node-gyp .cache/yarn .cache/pnpm .cache/deno .cache/turbo .cache/prisma
  .cache/electron .cache/electron-builder .cache/Cypress .cache/ms-playwright .cache/puppeteer
  .cache/selenium .cache/huggingface/hub .cache/torch .cache/biome .cache/typescript
  .cache/fontconfig .cache/matplotlib`);

/** Variables that name a folder of which only some parts are shown; the rest can hold credentials or checkouts. */
const partsOfVariable: ReadonlyMap<string, readonly string[]> = new Map([
  ['CARGO_HOME', ['bin', 'registry', 'git']],
  ['GOPATH', ['bin', 'pkg']],
]);

/** Variables that name a tool folder, besides the variables that commands receive. */
const toolVariables = splitWords('RUNNER_TOOL_CACHE AGENT_TOOLSDIRECTORY');

/** Folders that are never shown as a whole, nor any folder above them, even when a variable names them. */
export const privateFolders: readonly string[] = splitWords(`
  /home /root /tmp /run /var /var/tmp /var/lib /mnt /media /srv /proc /dev /dev/shm /opt /boot
  /Users /Volumes /Library /Applications /System/Volumes /private /private/tmp /private/var /private/var/folders
  /private/var/db`);

/** Data of services, such as databases, in the folders of Homebrew and MacPorts. */
const dataFolders = splitWords('/usr/local/var /opt/homebrew/var /opt/local/var');

/** Files in tool folders that hold credentials. */
const credentialFiles = splitWords(`
  .git/config .npmrc .yarnrc.yml .netrc .pypirc .git-credentials auth.json
  credentials credentials.json credentials.toml`);

/** Files that mark a folder as the folder of the Actions runner. */
const runnerMarks = splitWords('.runner .credentials .credentials_rsaparams');

/** All paths are real paths; `home` and `workspacePath` are shown as folders of the view. */
export interface ReadableOptions {
  readonly home: string;
  readonly workspacePath: string;
  readonly hidePaths: readonly string[];
  /** Further paths of the machine that commands may read (input `sandbox-read`). */
  readonly readPaths: readonly string[];
  readonly env: Environment;
  /** Path of the Node binary that runs Photon. */
  readonly node: string;
}

export interface Part {
  readonly at: string;
  readonly from: string;
}

export interface Readable {
  readonly parts: readonly Part[];
  readonly links: readonly Link[];
  /** Paths inside the parts that stay hidden. */
  readonly hidden: readonly string[];
  /** The parts that are tool folders below the home folder. */
  readonly caches: readonly Part[];
}

/**
 * Finds the readable parts of this machine.
 * @throws PhotonError `SETTING_INVALID` for a path in `readPaths` that would show a hidden folder.
 */
export function findReadable(options: ReadableOptions): Readable {
  const { home, workspacePath } = options;
  const own = [home, '/tmp'];
  const isShown = (path: string) => mayShow(path, options);
  // a relative path is one of the checkout, which the view shows
  const reads = options.readPaths.filter(isAbsolute);
  const named = [...reads.map(path => namedPath(path, options)), ...listToolFolders(options)];
  const showing = (paths: readonly string[], may: (path: string) => boolean) =>
    paths.flatMap(path => {
      const located = locate(path, own);
      if (located === undefined || !may(located.at) || !may(located.from)) return [];
      // tools also use their real path
      return [located, { at: located.from, from: located.from, links: [] }];
    });
  // a checkout or a home folder below one is covered by its view
  const mayShowSystem = (path: string) =>
    mayShow(path, { ...options, home: '/', workspacePath: '/' });
  const found = [...showing(systemFolders, mayShowSystem), ...showing(named, isShown)];
  const caches = homeFolders.flatMap((name): readonly Part[] => {
    const at = join(home, name);
    const from = realPath(at);
    return from !== undefined && isShown(at) && isShown(from) ? [{ at, from }] : [];
  });
  const closed = privateFolders.flatMap(p => realPath(p) ?? []);
  const hidden = [...closed, ...dataFolders, ...hiddenBy(options)];
  const parts = outermost([...found, ...caches], hidden);
  const others = [...linkedFolders, ...emptyFolders, workspacePath, options.env.HOME || '/'];
  const ways = others.map(p => locate(p, own));
  return {
    parts: parts.filter(p => !isWithin(p.at, workspacePath)),
    links: listLinks(
      [...found, ...ways.filter(w => w !== undefined)],
      [...parts.map(p => p.at), ...own],
    ),
    hidden: [
      ...hidden,
      ...privateFiles('/etc'),
      // a cache is writable: a command could move a deeper file away from under the mount that hides it
      ...parts.flatMap(p => credentialsIn(p, caches.includes(p) ? 1 : 2)),
    ],
    caches,
  };
}

/** True unless the path contains a folder that must stay hidden. */
function mayShow(path: string, { home, workspacePath, hidePaths }: ReadableOptions): boolean {
  const kept = ['/', home, workspacePath, ...hidePaths, ...privateFolders];
  return !kept.some(p => isWithin(p, path)) && !isRunner(path);
}

function isRunner(path: string): boolean {
  return runnerMarks.some(mark => existsSync(join(path, mark)));
}

function namedPath(path: string, options: ReadableOptions): string {
  const from = realPath(path);
  if (from === undefined || mayShow(from, options)) return path;
  throw new PhotonError(
    'SETTING_INVALID',
    `sandbox-read: ${path} contains folders that must stay hidden, such as the home folder or the folder of the runner. Name the folder below it that commands need.`,
  );
}

/** Tool folders: those on the PATH, those that variables name, and the Node of Photon. */
function listToolFolders(options: ReadableOptions): readonly string[] {
  const searched = (options.env.PATH ?? '').split(delimiter).filter(p => p.startsWith('/'));
  // `/bin` is often another name of `/usr/bin`
  const folders = new Set(searched.flatMap(p => realPath(p) ?? []));
  const own = childEnvironment(options.env);
  const byVariable = Object.entries(own).filter(([name]) => name !== 'PATH' && name !== 'HOME');
  const more = toolVariables.map(name => [name, options.env[name] ?? ''] as const);
  return [
    ...new Set([
      ...[...searched, dirname(options.node)].map(p => toolRoot(p, options)),
      options.node,
      ...[...folders].flatMap(linkedTools),
      ...[...byVariable, ...more].flatMap(([name, value]) => listVariableFolders(name, value)),
    ]),
  ];
}

function listVariableFolders(name: string, value: string): readonly string[] {
  const folders = value.split(delimiter).filter(p => p.startsWith('/'));
  const parts = partsOfVariable.get(name);
  return parts ? folders.flatMap(folder => parts.map(part => join(folder, part))) : folders;
}

/** Folders of which the list names only some parts. */
const dividedNames = new Set(homeFolders.filter(n => n.includes('/')).map(n => n.split('/')[0]));

/** The folder that a PATH entry needs to work: the parent of a `bin` folder, or all of `node_modules`. */
function toolRoot(entry: string, options: ReadableOptions): string {
  const path = entry.replace(/(?<!\/)\/+$/, '');
  if (path.endsWith('/node_modules/.bin')) return dirname(path);
  const above = dirname(path);
  const isDivided = dividedNames.has(basename(above)) && /^\.|^go$/.test(basename(above));
  const isTool = /^s?bin$/.test(basename(path)) && !isDivided && above !== '/';
  return isTool && mayShow(realPath(above) ?? '/', options) ? above : path;
}

/** The folders in `/opt` that programs of a folder link to. */
function linkedTools(folder: string): readonly string[] {
  const found = new Set<string>();
  for (const entry of readEntries(folder)) {
    if (!entry.isSymbolicLink()) continue;
    // most links are only another name of a program in the same folder
    if (!linkText(join(folder, entry.name))?.includes('/')) continue;
    const [, top, name] = realPath(join(folder, entry.name))?.split('/') ?? [];
    if (top === 'opt' && name) found.add(`/opt/${name}`);
  }
  return [...found];
}

/** Removes parts that lie inside another part, unless a hidden path lies between the two. */
function outermost(parts: readonly Part[], hidden: readonly string[]): readonly Part[] {
  const byPath = [...new Map(parts.map(p => [p.at, p])).values()].sort(
    (a, b) => a.at.length - b.at.length,
  );
  const kept: Part[] = [];
  for (const part of byPath) {
    const over = kept.findLast(k => isBelow(part.at, k.at));
    const isThere =
      over !== undefined &&
      part.from === `${over.from}${part.at.slice(over.at.length)}` &&
      !hidden.some(h => isBelow(h, over.at) && isWithin(part.at, h));
    if (!isThere) kept.push(part);
  }
  return kept;
}

/** Folders that every root has of its own. */
const rootFolders = ['/tmp', '/dev/shm'];

/** Each link once, without those inside shown folders, where they exist already. */
function listLinks(
  found: readonly { readonly links: readonly Link[] }[],
  shown: readonly string[],
) {
  const links = new Map(found.flatMap(f => f.links).map(l => [l.at, l]));
  return [...links.values()].filter(
    ({ at }) => !rootFolders.includes(at) && !shown.some(s => isWithin(at, s)),
  );
}

/** Hidden paths, runner folders above them, and other checkouts next to this one. */
function hiddenBy({ hidePaths, workspacePath }: ReadableOptions): readonly string[] {
  const above = hidePaths.flatMap(listAncestors).filter(isRunner);
  const beside = readEntries(dirname(workspacePath))
    .map(e => join(dirname(workspacePath), e.name))
    .filter(p => p !== workspacePath && existsSync(join(p, '.git')));
  return [...new Set([...hidePaths, ...above, ...beside])];
}

function credentialsIn({ at, from }: Part, depth: number): readonly string[] {
  return credentialFiles
    .filter(name => name.split('/').length <= depth && existsSync(join(from, name)))
    .map(name => join(at, name));
}

/** Paths below a folder that this user can read and others cannot. */
function privateFiles(folder: string): readonly string[] {
  return readEntries(folder).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [];
    const isFolder = entry.isDirectory();
    const needed = isFolder ? 0o005 : 0o004;
    if (((lstatSync(path, { throwIfNoEntry: false })?.mode ?? needed) & needed) !== needed)
      return canRead(path) ? [path] : [];
    return isFolder ? privateFiles(path) : [];
  });
}

const canRead = (path: string) => succeeds(() => accessSync(path, constants.R_OK));
