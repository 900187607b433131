/** Parses the parts of a text after a parse error by themselves, so that one unknown form does not hide the rest of a file. */
import type { Node } from 'web-tree-sitter';
import type { CodeSymbol } from './definitions.ts';

/** A part of a text that begins with an unindented line. */
export interface TextPart {
  readonly text: string;
  /** Lines above it. */
  readonly above: number;
}

/** Bounds the work: a text with more parts than that is not code. */
const maxParts = 2_000;

/** The parts of a text around its parse errors; none when it has no error. */
export function partsAroundErrors(root: Node, text: string): readonly TextPart[] {
  if (!root.hasError) return [];
  const lines = text.split('\n');
  const rows = lines.flatMap((line, row) =>
    row > 0 && begins(line, lines[row - 1] ?? '') ? [row] : [],
  );
  if (rows.length > maxParts) return [];
  const starts = [0, ...rows.filter(row => !isInside(root, row))];
  const broken = root.children.flatMap(child =>
    child?.hasError ? [{ from: child.startPosition.row, to: child.endPosition.row }] : [],
  );
  return starts
    .map((row, i) => ({ row, end: starts[i + 1] ?? lines.length }))
    .filter(({ row, end }) => broken.some(({ from, to }) => from < end && to >= row))
    .map(({ row, end }) => ({ text: `${lines.slice(row, end).join('\n')}\n`, above: row }));
}

/** True for a line that can begin a definition at the top of a file, after one that can end another. */
function begins(line: string, before: string): boolean {
  // a label, or `else:`
  if (!/^[\p{L}_@#$[<]/u.test(line) || /^[\p{L}_]+\s*:\s*$/u.test(line)) return false;
  return /^\s*$|^[\s})\]#@/*]|[;}]\s*$/u.test(before) && !/^@/.test(before);
}

/** True when a line begins inside a comment or a text. */
function isInside(root: Node, row: number): boolean {
  const node = root.descendantForPosition({ row, column: 0 });
  return (
    node !== null &&
    node.startPosition.row < row &&
    /comment|string|template|heredoc/.test(node.type)
  );
}

/** The symbols of a whole text, and those that only its parts show, in the order of the text. */
export function joinSymbols(
  whole: readonly CodeSymbol[],
  parts: readonly (readonly CodeSymbol[])[],
): readonly CodeSymbol[] {
  const keyOf = (s: CodeSymbol) => `${s.startLine} ${s.name}`;
  const known = new Set(whole.map(keyOf));
  const added = parts.flat().filter(s => !known.has(keyOf(s)));
  return added.length === 0
    ? whole
    : [...whole, ...added].sort((a, b) => a.startLine - b.startLine);
}
