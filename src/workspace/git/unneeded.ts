/** Untracked paths of the checkout that no command needs: what git does not know, and single files that it ignores. */
import { join } from 'node:path';
import { isPackaged, lockFile } from '../../guard/paths.ts';
import { listRandomValues } from '../../guard/secrets/credential-file.ts';
import { readBeginning } from '../files/read-foreign.ts';
import { type GitCommand, type GitRunner, splitRecords } from './git-process.ts';

interface UntrackedSearch {
  readonly git: GitRunner;
  readonly checkout: string;
  readonly tree: string;
  readonly scratch: string;
}

/**
 * Finds them by the rules of the checkout for ignored files; a folder stands for all that is in it. Needed are installed
 * packages, what lies in a folder of which git ignores every name, and of other ignored files those that a tool made: machine
 * code, lock files, and sources that say that they are generated and hold no random value.
 * @throws PhotonError `GIT`.
 */
export async function findUnneeded(search: UntrackedSearch): Promise<readonly string[]> {
  const { git, checkout, tree, scratch } = search;
  const env = { GIT_INDEX_FILE: join(scratch, 'names.index') };
  await git(['read-tree', tree], { env });
  const read = async (args: readonly string[], more: Partial<GitCommand> = {}) => {
    const place = { env, cwd: checkout, ...more };
    return splitRecords((await git(['--work-tree', checkout, ...args], place)).stdout);
  };
  const list = ['ls-files', '-z', '--others', '--exclude-standard', '--directory'];
  const [all, ignored] = await Promise.all([read(list), read([...list, '--ignored'])]);
  const folders = all.filter(isFolder);
  const single = ignored.filter(path => !isFolder(path) && !folders.some(f => path.startsWith(f)));
  const input = [...folders, ...single].map(path => `${nameBeside(path)}\0`).join('');
  const ask = ['check-ignore', '-z', '--stdin'];
  const whole = new Set(input === '' ? [] : await read(ask, { input, accept: [1] }));
  const isNeeded = (path: string) =>
    isPackaged(isFolder(path) ? path : `${path}/`) || whole.has(nameBeside(path));
  const others = single.filter(path => !isMade(checkout, path));
  return [...all, ...others].filter(path => !isNeeded(path)).map(path => path.replace(/\/$/, ''));
}

const isFolder = (path: string) => path.endsWith('/');

/** A name that no tool gives, in a folder or beside a file: git ignores it only if it ignores every name there. */
function nameBeside(path: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}photon-any-name`;
}

/** ELF, Mach-O, Windows, Java, WebAssembly, archives of object files, and translations of gettext. */
const machineCode =
  /^(?:7f454c46|cafebabe|feedfac[ef]|c[ef]faedfe|4d5a|0061736d|213c617263683e|de120495|950412de)/;
const source =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|[ch]|cc|[ch]pp|hh|cs|php|swift|scala|mli?|hs|ex|dart|zig)$/;
const buildFile = /\.(?:cmake|mk|l[ao])$|(?:^|\/)(?:Makefile|config\.status|libtool)$/;

/** True for a file that a tool made of the sources, as far as its beginning shows. */
function isMade(checkout: string, path: string): boolean {
  if (lockFile.test(path) || /(?:^|\/)\.pnp\.[cm]?js$/.test(path)) return true;
  const bytes = readBeginning(join(checkout, path), maxBytes);
  if (bytes === undefined || machineCode.test(bytes.toString('hex', 0, 8)))
    return bytes !== undefined;
  const text = bytes.toString('utf8');
  const isSource = source.test(path) || buildFile.test(path);
  const isGenerated = isSource && /generated|do not edit/i.test(text.slice(0, 1_000));
  return isGenerated && listRandomValues(text, 'all').length === 0;
}

const maxBytes = 64 * 1024;
