/** Lowers the suspicion of function headers: they run with each call and seldom hold the fault. Pure. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../languages/language.ts';
import type { Suspect } from './localise.ts';

/** The share of its suspicion that such a line keeps. */
const share = 0.75;

/** The lines before the first statement of each function, counted from 1. */
export function headerLines(root: Node, language: LanguageAdapter): ReadonlySet<number> {
  const lines = new Set<number>();
  const visit = (node: Node) => {
    const body = language.types.function.has(node.type) ? language.bodyOf(node) : null;
    const first = body?.namedChildren.find(c => c !== null && c.type !== 'comment');
    if (body !== null && first && language.types.block.has(body.type))
      for (let row = node.startPosition.row; row < first.startPosition.row; row++)
        lines.add(row + 1);
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(root);
  return lines;
}

/** The suspects with header lines ranked after equal lines. */
export function withoutHeaders(
  suspects: readonly Suspect[],
  headers: ReadonlyMap<string, ReadonlySet<number>>,
): readonly Suspect[] {
  return suspects
    .map(s => (headers.get(s.path)?.has(s.line) ? { ...s, score: s.score * share } : s))
    .sort((a, b) => b.score - a.score);
}
