/** Paths of the checkout that no view shows: credentials that earlier steps left, git folders of nested checkouts, withheld files. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { isAbsolute, join, posix, relative } from 'node:path';
import { attempt } from '../../base/system-errors.ts';
import { folderOf, isPackaged, lockFile } from '../../guard/paths.ts';
import {
  isCredentialFolder,
  kindOfName,
  listRandomValues,
  looksLikeCredentials,
  valuesToBlank,
} from '../../guard/secrets/credential-file.ts';
import {
  isBelow,
  isRealFolder,
  listAncestors,
  listBelow,
  readEntries,
  realPath,
  runsFolder,
  toSlashes,
} from '../files/locate.ts';
import { readBeginning } from '../files/read-foreign.ts';
import type { TreeEntry } from './git-objects.ts';
import type { GitRunner } from './git-process.ts';

/** Untracked files and folders at the top that hold credentials. */
const privateNames = new Set([
  '.git-credentials',
  '.netrc',
  '.ssh',
  '.aws',
  '.gnupg',
  '.credentials',
  '.credentials_rsaparams',
  '_diag',
]);

const isPrivate = (name: string) => privateNames.has(name) || /^gha-creds-.*\.json$/.test(name);

/** What is hidden besides credentials at the top and git folders. */
interface Hiding {
  readonly checkout: string;
  /** The folder of Photon, which can lie in the checkout. */
  readonly own: string;
  /** True for a path that nothing may see, tracked or not. */
  readonly withheld: (path: string) => boolean;
  /** Untracked files that look like credentials, and what no command needs. */
  readonly credentials: readonly string[];
  /** Files and folders whose credentials are shown all the same. */
  readonly shown: readonly string[];
}

/**
 * Finds these paths, none of them below another. What packages hold in `node_modules` is not searched.
 * @param isTracked true for a path of the base; tracked files are not hidden.
 */
export function findUnshown(
  { checkout, own, withheld, credentials, shown }: Hiding,
  isTracked: (path: string) => boolean,
): readonly string[] {
  const real = realPath(own) ?? own;
  const inside = isBelow(real, checkout) ? [toSlashes(real.slice(checkout.length + 1))] : [];
  // files of earlier runs, unless they are part of the repository
  const hasRuns = isRealFolder(join(checkout, runsFolder));
  const runs = hasRuns && !isTracked(`${runsFolder}/.gitignore`) ? [runsFolder] : [];
  const top = readEntries(checkout)
    .map(entry => entry.name)
    .filter(name => isPrivate(name) && !isTracked(name))
    .filter(name => !isNamed(name, shown) && !shown.some(path => isNamed(path, [name])));
  const secret = credentials.flatMap(path => hideAround(checkout, path, shown));
  const all = new Set([...inside, ...runs, ...top, ...secret, ...hiddenBelow(checkout, withheld)]);
  return [...all].filter(path => !listAncestors(`/${path}`).some(above => all.has(above.slice(1))));
}

/** A path to hide; of a folder that holds a path to show, what lies beside that. */
function hideAround(checkout: string, path: string, shown: readonly string[]): readonly string[] {
  if (isNamed(path, shown)) return [];
  if (!shown.some(each => isNamed(each, [path]))) return [path];
  const entries = readEntries(join(checkout, path)).map(({ name }) => posix.join(path, name));
  return entries.flatMap(entry => hideAround(checkout, entry, shown));
}

/** The paths of the checkout among paths of the machine, and those that are relative to its top. */
export function namesInside(checkout: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap(path => {
    if (!isAbsolute(path)) return [posix.normalize(path).replace(/\/$/, '')];
    // a folder may be named by the way that leads to it
    const found = [path, realPath(path) ?? path].find(each => isBelow(each, checkout));
    return found === undefined ? [] : [toSlashes(relative(checkout, found))];
  });
}

/** True for a path that a list names itself or by a folder above it. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.some(name => path === name || path.startsWith(`${name}/`));
}

/** `.git` folders and files of nested checkouts, and what is withheld, with its hard links and copies. */
function hiddenBelow(checkout: string, withheld: (path: string) => boolean): readonly string[] {
  const isHidden = (path: string) => posix.basename(path) === '.git' || withheld(path);
  const enters = (path: string) => posix.basename(path) !== 'node_modules' && !isHidden(path);
  const all = [...listBelow(checkout, enters)].filter(({ path }) => path !== '.git');
  const hidden = all.map(({ path }) => path).filter(isHidden);
  const others = all.filter(({ path, entry }) => entry.isFile() && !isHidden(path));
  const paths = others.map(({ path }) => path);
  return [...hidden, ...findCopies(checkout, hidden.filter(withheld), paths)];
}

/** Those of the files that are a hard link of a withheld one, or hold the same bytes. */
function findCopies(
  checkout: string,
  withheld: readonly string[],
  others: readonly string[],
): readonly string[] {
  const files = withheld.flatMap(path => {
    const below = listBelow(join(checkout, path), () => true);
    const inside = [...below].filter(({ entry }) => entry.isFile());
    return [path, ...inside.map(found => posix.join(path, found.path))];
  });
  const bySize = new Map<number, { readonly path: string; readonly inode: string }[]>();
  for (const path of files) {
    const found = statFile(join(checkout, path));
    if (found === undefined || found.size === 0) continue;
    bySize.set(found.size, [...(bySize.get(found.size) ?? []), { path, inode: found.inode }]);
  }
  if (bySize.size === 0) return [];
  return others.filter(path => {
    const found = statFile(join(checkout, path));
    const same = found && bySize.get(found.size);
    return same?.some(
      each =>
        each.inode === found?.inode || holdsSame(join(checkout, each.path), join(checkout, path)),
    );
  });
}

function statFile(path: string): { readonly size: number; readonly inode: string } | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? { size: found.size, inode: `${found.dev}:${found.ino}` } : undefined;
}

function holdsSame(one: string, other: string): boolean {
  // who cannot read it cannot copy it
  return attempt(() => readFileSync(one).equals(readFileSync(other))) ?? false;
}

export interface UntrackedCredentials {
  /** Relative to the top of the checkout, sorted. */
  readonly paths: readonly string[];
  /** Other files and folders that no command needs; see `findUnneeded`. */
  readonly unneeded: readonly string[];
  /** The values in all these, and random ones in the rest, that no file of the commit holds; at most 500. */
  readonly values: readonly string[];
  /** False when the checkout holds more untracked files than are opened: the others were judged by name alone. */
  readonly isComplete: boolean;
}

interface CredentialSearch {
  readonly git: GitRunner;
  readonly checkout: string;
  readonly tree: string;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Photon's own folder, which can lie in the checkout. */
  readonly own: string;
  readonly unneeded: readonly string[];
}

/** A larger file is judged by the beginning of its content. */
const maxBytes = 64 * 1024;
/** Untracked files without a telling name that are opened, those nearest to the top first. */
const maxOpened = 5_000;
const maxValues = 500;
/** Folders of packages, and of what a test runner notes of the tests: names of cases hold made-up addresses and tokens. */
const derived: ReadonlySet<string> = new Set(['node_modules', '.pytest_cache']);

interface CandidateFile {
  readonly path: string;
  /** Undefined for what is not a text. */
  readonly text: string | undefined;
  /** True if its name or its folder says that it holds credentials. */
  readonly isNamed: boolean;
}

/** Searches the checkout. Folders of packages, of test runners and of git are left out. @throws PhotonError `GIT`. */
export async function findUntrackedCredentials(
  search: CredentialSearch,
): Promise<UntrackedCredentials> {
  const { found, random, isComplete } = searchFolders(search);
  const named = found.flatMap(({ path, text }) =>
    text === undefined ? [] : valuesToBlank(path, text),
  );
  const values = [...new Set([...named, ...random])].slice(0, maxValues);
  const known = await findCommitted(search, values);
  const secret = (value: string) => !known.has(findSearchLine(value));
  const hidden = found.filter(({ path, text, isNamed }) => {
    const own = text === undefined ? [] : valuesToBlank(path, text);
    // what the commit holds in the same words is no secret of this machine
    return isNamed || own.length === 0 || own.some(secret);
  });
  return {
    paths: hidden.map(({ path }) => path).sort(),
    unneeded: search.unneeded.filter(path => !found.some(each => each.path === path)),
    values: values.filter(secret),
    isComplete,
  };
}

function searchFolders({ checkout, entries, own, unneeded }: CredentialSearch) {
  const skipped = new Set([toSlashes(relative(checkout, realPath(own) ?? own)), runsFolder]);
  const committed = new Set([...entries.values()].map(({ oid }) => oid));
  const found = new Map<string, CandidateFile>();
  const random = new Set<string>();
  let opened = 0;
  const judge = (path: string, isInFolder: boolean) => {
    const isSpeaking = isInFolder || kindOfName(path) !== 'other';
    if (!isSpeaking) opened++;
    if (found.has(path) || (!isSpeaking && opened > maxOpened)) return;
    const bytes = readBeginning(join(checkout, path), maxBytes);
    if (bytes === undefined || bytes.length === 0 || isCommitted(bytes, committed)) return;
    const text = bytes.includes(0) ? undefined : bytes.toString('utf8');
    // locks and installed packages are full of digests
    if (text !== undefined && !lockFile.test(path) && !isPackaged(path))
      for (const value of listRandomValues(text, isNamed(path, unneeded) ? 'all' : 'assigned'))
        random.add(value);
    if (isInFolder || looksLikeCredentials(path, text))
      found.set(path, { path, text, isNamed: isSpeaking });
  };
  const isSkipped = (path: string) => posix.basename(path) === '.git' || skipped.has(path);
  const enters = (path: string) => !isSkipped(path) && !derived.has(posix.basename(path));
  for (const { path, entry } of listBelow(checkout, enters)) {
    const isLink = entry.isSymbolicLink();
    if (isSkipped(path) || entries.has(path) || !(isLink || entry.isFile())) continue;
    judge(path, folderOf(path).split('/').some(isCredentialFolder));
    const whole = found.get(path);
    const target = isLink && whole !== undefined ? inside(checkout, path) : undefined;
    if (target !== undefined && whole && !entries.has(target))
      found.set(target, { ...whole, path: target });
  }
  return { found: [...found.values()], random: [...random], isComplete: opened <= maxOpened };
}

/** The path of the checkout that a link leads to; undefined when it leads elsewhere. */
function inside(checkout: string, path: string): string | undefined {
  const [top, real] = [realPath(checkout), realPath(join(checkout, path))];
  if (top === undefined || real === undefined || !isBelow(real, top)) return undefined;
  return toSlashes(relative(top, real));
}

/** True for the content of a file of the commit, for example one that a build copied. */
function isCommitted(bytes: Buffer, committed: ReadonlySet<string>): boolean {
  if (bytes.length >= maxBytes) return false;
  const [any = ''] = committed;
  const hash = createHash(any.length === 64 ? 'sha256' : 'sha1');
  return committed.has(hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex'));
}

/** The values, each as one line, that a file of the commit holds. */
async function findCommitted(
  { git, tree }: CredentialSearch,
  values: readonly string[],
): Promise<ReadonlySet<string>> {
  const lines = [...new Set(values.map(findSearchLine))].filter(line => line !== '');
  if (lines.length === 0) return new Set();
  // as input, so that no list of processes shows a value
  const args = ['grep', '-o', '-h', '-I', '-F', '--no-color', '-f', '-', tree];
  const { stdout } = await git(args, {
    input: `${lines.slice(0, maxValues).join('\n')}\n`,
    accept: [1],
    maxBytes: 4 * 1024 * 1024,
  });
  return new Set(stdout.toString('utf8').split('\n'));
}

/** The first line of a value that is long enough to identify it, for a search line by line. */
function findSearchLine(value: string): string {
  return value.split(/[\r\n\0]+/).find(line => line.length >= 8) ?? '';
}
