/** The hunks of a patch and its lines with code: taken out one by one, to find what no test needs. */
import type { Node } from 'web-tree-sitter';
import type { LineSpan } from '../../base/findings.ts';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { getStateText, inlineTests } from '../../ecosystems/tests/test-role.ts';
import { findPattern } from '../../guard/paths.ts';
import type { FileChange, FileState } from '../../workspace/files/change.ts';
import { compareLines, type ReplacedLines } from '../../workspace/text/compare-lines.ts';
import { isUtf8Text } from '../../workspace/text/text-file.ts';
import type { RepairContext } from '../runners/runner-context.ts';

/** A file with the patch, and its changed lines. */
export interface ChangedCode {
  readonly path: string;
  /** The text of the file before the patch; empty for a new file. */
  readonly before: string;
  readonly text: string;
  /** Changed lines with code, counted from 1; if no grammar knows the language, all but blank lines and comments. */
  readonly lines: readonly number[];
  /** True if a grammar knows the language. */
  readonly isParsed: boolean;
}

/** A line that begins a comment in most languages. */
const comment = /^(?:#(?:\s|$)|\/\/|<!--)/;

const isCode = (line = '') => line.trim() !== '' && !comment.test(line.trim());

/** True for a document, such as a README or a change log: no test runs its lines. */
function isDocument(path: string): boolean {
  return findPattern(pathClasses, ['@docs'], path) !== undefined;
}

/** The changed code of these changes. Documents, deleted files and files that are not text have none. */
export async function changedCode(
  { withTree }: Pick<RepairContext, 'withTree'>,
  changes: readonly FileChange[],
): Promise<readonly ChangedCode[]> {
  const found: ChangedCode[] = [];
  for (const { path, before, after } of changes) {
    if (after === undefined || !isUtf8Text(after.bytes) || isDocument(path)) continue;
    const [old, now] = [splitLines(before), splitLines(after)];
    const changed = compareLines(old, now).flatMap(({ newStart, newEnd }) =>
      Array.from({ length: newEnd - newStart }, (_, i) => newStart + i + 1),
    );
    const text = now.join('');
    const code = changed.length === 0 ? undefined : await withTree(path, text, codeLines);
    const lines = changed.filter(n => (code === undefined ? isCode(now[n - 1]) : code.has(n)));
    if (lines.length > 0)
      found.push({ path, before: old.join(''), text, lines, isParsed: code !== undefined });
  }
  return found;
}

/** Lines on which code begins: not those that hold nothing but comments, brackets or a documentation string. */
function codeLines(root: Node): ReadonlySet<number> {
  const lines = new Set<number>();
  const visit = (node: Node) => {
    const { namedChildren, type } = node;
    if (/comment/.test(type)) return;
    const [only] = namedChildren;
    if (type === 'expression_statement' && namedChildren.length === 1 && only?.type === 'string')
      return;
    if (namedChildren.length === 0) lines.add(node.startPosition.row + 1);
    for (const child of namedChildren) if (child !== null) visit(child);
  };
  visit(root);
  return lines;
}

/** One place of a patch. `replaced` is undefined for a file that is added, deleted or not text: it is one hunk. */
export interface Hunk {
  readonly path: string;
  readonly replaced: ReplacedLines | undefined;
}

/** All hunks of these changes, in order. */
export function listHunks(changes: readonly FileChange[]): readonly Hunk[] {
  return changes.flatMap((change): readonly Hunk[] => {
    const { path, before, after } = change;
    const isText = [before, after].every(s => s !== undefined && isUtf8Text(s.bytes));
    if (!isText || before?.mode !== after?.mode) return [{ path, replaced: undefined }];
    return compareLines(splitLines(before), splitLines(after)).map(replaced => ({
      path,
      replaced,
    }));
  });
}

/** Where a hunk is in the file with the patch. One that only removes lines ends before it starts. */
export function locateHunk({ path, replaced }: Hunk): LineSpan {
  if (replaced === undefined) return { path, start: 1, end: 0 };
  return { path, start: replaced.newStart + 1, end: replaced.newEnd };
}

/** The changes without these hunks. A file without any of its hunks is left out. */
export function withoutHunks(
  changes: readonly FileChange[],
  left: ReadonlySet<Hunk>,
): readonly FileChange[] {
  return changes.flatMap(change => {
    const own = [...left].filter(h => h.path === change.path);
    if (own.length === 0) return [change];
    if (
      own.some(h => h.replaced === undefined) ||
      change.before === undefined ||
      change.after === undefined
    )
      return [];
    const after = undo(change.before, change.after, own);
    return Buffer.from(after.bytes).equals(Buffer.from(change.before.bytes))
      ? []
      : [{ ...change, after }];
  });
}

function undo(before: FileState, after: FileState, left: readonly Hunk[]): FileState {
  const [old, now] = [splitLines(before), [...splitLines(after)]];
  const inOrder = left
    .map(h => h.replaced)
    .filter(r => r !== undefined)
    .sort((a, b) => b.newStart - a.newStart);
  for (const { oldStart, oldEnd, newStart, newEnd } of inOrder)
    now.splice(newStart, newEnd - newStart, ...old.slice(oldStart, oldEnd));
  return { ...after, bytes: Buffer.from(now.join('')) };
}

/** The lines of a text, each with its line feed. */
export function splitLines(state: FileState | undefined): readonly string[] {
  return state === undefined
    ? []
    : Buffer.from(state.bytes)
        .toString('utf8')
        .split(/(?<=\n)/)
        .filter(l => l !== '');
}

/**
 * The hunks that a test can notice: documents, tests and hunks that hold nothing but comments are left out.
 * @param added the changed code of these changes.
 */
export async function listCodeHunks(
  symbols: Pick<RepairContext, 'withTree'>,
  source: readonly FileChange[],
  added: readonly ChangedCode[],
): Promise<readonly Hunk[]> {
  const holdsCode = await codeFinder(symbols, source, added);
  // a file that is not text, or that gets another mode, has no lines
  const hunks = source.flatMap(change => listHunks([change]).filter(h => !isOfTests(h, change)));
  return hunks.filter(h => holdsCode(h) || (h.replaced === undefined && !isDocument(h.path)));
}

/** True for a change of tests inside a source file, which a patch without the file does not have. */
export function changesInlineTests({ before, after }: FileChange): boolean {
  return readInlineTests(before) !== readInlineTests(after);
}

function isOfTests({ replaced }: Hunk, change: FileChange): boolean {
  if (replaced === undefined) return changesInlineTests(change);
  const tests = readInlineTests(change.after);
  const first = splitLines(change.after).length - tests.split('\n').length + 1;
  return tests !== '' && replaced.newStart >= first;
}

function readInlineTests(state: FileState | undefined): string {
  return state !== undefined && isUtf8Text(state.bytes) ? inlineTests(getStateText(state)) : '';
}

/** A function that tells whether a hunk adds or removes a line with code. */
async function codeFinder(
  symbols: Pick<RepairContext, 'withTree'>,
  source: readonly FileChange[],
  added: readonly ChangedCode[],
): Promise<(hunk: Hunk) => boolean> {
  const undone = source.map(({ path, before, after }) => ({ path, before: after, after: before }));
  const removed = await changedCode(symbols, undone);
  const getLines = (files: readonly ChangedCode[], path: string) =>
    files.find(f => f.path === path)?.lines ?? [];
  return ({ path, replaced }) => {
    const [now, old] = [getLines(added, path), getLines(removed, path)];
    if (replaced === undefined) return now.length + old.length > 0;
    const { oldStart, oldEnd, newStart, newEnd } = replaced;
    return now.some(n => n > newStart && n <= newEnd) || old.some(n => n > oldStart && n <= oldEnd);
  };
}
