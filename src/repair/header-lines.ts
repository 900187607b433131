/** Lines of a function before its first statement: they run with each call and seldom hold the fault. Pure. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from './language-adapter.ts';
import type { Suspect } from './localise.ts';

/** Part of its suspicion that such a line keeps. */
const share = 0.75;

/** Lines of all functions of a tree, 1-based. */
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

/** The suspects anew, those in the lines of headers behind their equals. */
export function withoutHeaders(
  suspects: readonly Suspect[],
  headers: ReadonlyMap<string, ReadonlySet<number>>,
): readonly Suspect[] {
  return suspects
    .map(s => (headers.get(s.path)?.has(s.line) ? { ...s, score: s.score * share } : s))
    .sort((a, b) => b.score - a.score);
}
