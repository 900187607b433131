/** The lines with code that a patch adds or changes, outside of tests. */
import type { Node } from 'web-tree-sitter';
import { pathClasses } from '../../ecosystems/tests/path-classes.ts';
import { findPattern } from '../../guard/path-classes.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { compareLines } from '../../workspace/text/compare-lines.ts';
import { isUtf8Text } from '../../workspace/text/text-file.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import { splitLines } from './hunks.ts';

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
export function isDocument(path: string): boolean {
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
