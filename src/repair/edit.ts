/** Edits of a text by offset, and what a template proposes. Pure. */
import type { Node } from 'web-tree-sitter';

/** Replaces `[start, end)`, in UTF-16 units of the text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One candidate as a template proposes it. */
export interface EditProposal {
  readonly edits: readonly TextEdit[];
  /** How likely among the proposals of its template, in (0, 1]. */
  readonly weight: number;
  /** Set when the edit may only hide the failure; the words of its warning. */
  readonly risk?: string;
}

/** Puts a text in place of a node. */
export function replace(node: Node, text: string, weight = 1): EditProposal {
  return { edits: [{ start: node.startIndex, end: node.endIndex, text }], weight };
}

/** Puts a text in place of a range. */
export function replaceRange(
  range: readonly [number, number],
  text: string,
  weight = 1,
): EditProposal {
  return { edits: [{ start: range[0], end: range[1], text }], weight };
}

/** Exchanges the texts of two nodes. */
export function exchange(one: Node, other: Node, weight = 1): EditProposal {
  return {
    edits: [
      { start: one.startIndex, end: one.endIndex, text: other.text },
      { start: other.startIndex, end: other.endIndex, text: one.text },
    ],
    weight,
  };
}

/** The text after edits that do not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  return inOrder.reduce((now, e) => now.slice(0, e.start) + e.text + now.slice(e.end), text);
}
