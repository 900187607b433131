/** What can be left out of a patch: hunks of code without which every test passes. */

import type { ProvenLines } from '../../base/findings.ts';
import type { Verification } from '../../base/outcome.ts';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { findPattern, pathClassNames } from '../../guard/path-classes.ts';
import { type FileChange, type FileState, isGenerated } from '../../workspace/files/change.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import { type ChangedCode, changedCode, isDocument } from './changed-lines.ts';
import { type Hunk, listHunks, locateHunk, withoutHunks } from './hunks.ts';

/** A smaller patch. */
interface SmallerPatch {
  /** What is left out, in lines of the full patch. */
  readonly places: readonly ProvenLines[];
  /** The files that differ from the full patch, as the smaller one has them. */
  readonly states: ReadonlyMap<string, FileState | undefined>;
}

/**
 * The patch without the code that no test needs. Tests, documents, generated files, manifests, comments and files in an
 * unknown language stay. Null if nothing can be left out, or nothing would be left.
 */
export async function findRemovable(
  symbols: Pick<RepairContext, 'withTree'>,
  changes: readonly FileChange[],
  { proof, testFiles = [] }: Verification,
): Promise<SmallerPatch | undefined> {
  const tests = new Set(testFiles.map(f => f.path));
  const source = changes.filter(c => !tests.has(c.path) && !staysWhole(c));
  const hunks = listHunks(source);
  const isNotNeeded = (hunk: Hunk) => {
    const { path, start, end } = locateHunk(hunk);
    return proof?.hunks.notNeeded.some(h => h.path === path && h.start === start && h.end === end);
  };
  const added = await changedCode(symbols, source);
  const holdsCode = await codeFinder(symbols, source, { added, counts: file => file.isParsed });
  const leftOut = hunks.filter(h => isNotNeeded(h) && holdsCode(h));
  if (leftOut.length === 0 || leftOut.length === hunks.length) return undefined;
  const kept = new Map(withoutHunks(source, new Set(leftOut)).map(c => [c.path, c.after]));
  const touched = source.filter(c => leftOut.some(h => h.path === c.path));
  return {
    places: leftOut.map(locateHunk),
    states: new Map(touched.map(({ path, before }) => [path, kept.get(path) ?? before])),
  };
}

/**
 * The hunks that a test can notice: documents and hunks that hold nothing but comments are left out.
 * @param added the changed code of these changes.
 */
export async function listCodeHunks(
  symbols: Pick<RepairContext, 'withTree'>,
  source: readonly FileChange[],
  added: readonly ChangedCode[],
): Promise<readonly Hunk[]> {
  const holdsCode = await codeFinder(symbols, source, { added, counts: () => true });
  // a file that is not text, or that gets another mode, has no lines
  return listHunks(source).filter(
    h => holdsCode(h) || (h.replaced === undefined && !isDocument(h.path)),
  );
}

/** A function that tells whether a hunk adds or removes a line with code, in files that count. */
async function codeFinder(
  symbols: Pick<RepairContext, 'withTree'>,
  source: readonly FileChange[],
  {
    added,
    counts,
  }: { readonly added: readonly ChangedCode[]; readonly counts: (file: ChangedCode) => boolean },
): Promise<(hunk: Hunk) => boolean> {
  const undone = source.map(({ path, before, after }) => ({ path, before: after, after: before }));
  const removed = await changedCode(symbols, undone);
  const getLines = (files: readonly ChangedCode[], path: string) =>
    files.find(f => f.path === path && counts(f))?.lines ?? [];
  return ({ path, replaced }) => {
    const [now, old] = [getLines(added, path), getLines(removed, path)];
    if (replaced === undefined) return now.length + old.length > 0;
    const { oldStart, oldEnd, newStart, newEnd } = replaced;
    return now.some(n => n > newStart && n <= newEnd) || old.some(n => n > oldStart && n <= oldEnd);
  };
}

const generatedPath =
  /(^|\/)(dist|vendor|third_party|node_modules)\/|[._-](generated|gen|pb|min)\.[a-z]+$|_pb2(_grpc)?\.py$/i;

function staysWhole({ path, before, after }: FileChange): boolean {
  if (findPattern(pathClasses, pathClassNames, path) !== undefined || generatedPath.test(path))
    return true;
  return isGenerated(before) || isGenerated(after);
}
