/** Finds the files that control a run and that differ between the work tree and the commit that a run reads them from. */
import { posix } from 'node:path';
import type { Programs } from '../../process/programs.ts';
import { listUntracked, readWorkFile } from '../commits/unsaved.ts';
import { differs, type FileChange, type FileState } from '../files/change.ts';
import type { Git } from '../git/git.ts';
import { isInstructionFile } from './instruction-files.ts';
import { openFolderFiles } from './trusted-files.ts';

/** The files that settings name, besides those whose name alone makes them control a run. */
export interface NamedPaths {
  /** Configuration, agent profile, shape of a review. */
  readonly files: readonly string[];
  /** Folders of skills. */
  readonly folders: readonly string[];
}

/** Files at any depth that control a run by their name, as patterns of git. */
const patterns = [
  'constitution.md',
  'AGENTS.md',
  'CLAUDE.md',
  '.github/copilot-instructions.md',
  '.github/instructions/*',
].map(name => `:(glob)**/${name}`);

/** Each file that controls a run and differs from the commit: its committed state, and that of the work tree. Sorted by path. */
export async function findUncommitted(
  git: Git,
  { files, folders }: NamedPaths,
  programs: Programs,
): Promise<readonly FileChange[]> {
  const { checkout } = git;
  const isBelow = (path: string) => folders.some(folder => path.startsWith(`${folder}/`));
  const isTrusted = (path: string) =>
    files.includes(path) ||
    isBelow(path) ||
    posix.basename(path) === 'constitution.md' ||
    isInstructionFile(path);
  const onDisk = openFolderFiles(checkout);
  const below = await Promise.all(folders.map(folder => onDisk.list(folder)));
  const untracked = await listUntracked({ cwd: checkout, programs }, ['--', ...patterns]);
  // what the settings name counts although .gitignore may hide it from git
  const named = [...files, 'constitution.md', ...below.flat(), ...untracked].filter(Boolean);
  const paths = new Set([...(await git.workTree.differing()), ...named].filter(isTrusted));
  const committed = await git.listTreeEntries(git.fullTree);
  const found: FileChange[] = [];
  for (const path of [...paths].sort()) {
    const entry = committed.get(path);
    if (entry?.mode === '160000') continue;
    const bytes = entry === undefined ? undefined : await git.read(entry.oid);
    const before =
      entry === undefined || bytes === undefined ? undefined : { mode: entry.mode, bytes };
    const change = { path, before, after: stateOnDisk(checkout, path, before) };
    if (differs(change)) found.push(change);
  }
  return found;
}

/** The state of a file in the work tree; `before` itself where only the right to execute differs. */
function stateOnDisk(
  top: string,
  path: string,
  before: FileState | undefined,
): FileState | undefined {
  const now = readWorkFile(top, path);
  const areFiles = now?.mode === '100644' && before !== undefined && before.mode !== '120000';
  return areFiles && Buffer.from(before.bytes).equals(now.bytes) ? before : now;
}
