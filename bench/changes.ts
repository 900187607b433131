/** Reads what differs between two trees of a repository, with git as a process. */
import { execFileSync } from 'node:child_process';
import type { FileChange, FileMode } from '../src/workspace/files/change.ts';

/** What git prints. @throws Error with what it said if it fails. */
export const git = (repository: string, ...words: readonly string[]): Buffer =>
  execFileSync('git', ['-C', repository, ...words], { maxBuffer: 1e9, stdio: 'pipe' });

/** The changed files, with both contents; submodules are left out. */
export function readChanges(repository: string, from: string, to: string): readonly FileChange[] {
  const listed = git(repository, 'diff-tree', '-r', '--no-renames', '-z', from, to);
  const fields = /:(\d+) (\d+) (\w+) (\w+) \w\0([^\0]+)\0/g;
  const read = (mode: string, id: string): FileChange['before'] =>
    /^0+$/.test(id)
      ? undefined
      : { mode: mode as FileMode, bytes: git(repository, 'cat-file', 'blob', id) };
  return [...String(listed).matchAll(fields)].flatMap(
    ([, oldMode = '', mode = '', before = '', after = '', path = '']) =>
      oldMode === '160000' || mode === '160000'
        ? []
        : [{ path, before: read(oldMode, before), after: read(mode, after) }],
  );
}
