/** Edits of a text by offset, and the proposals of templates. Pure. */
import type { Node } from 'web-tree-sitter';

/** Replaces `[start, end)`, in UTF-16 units of the text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One edit that a template proposes. */
export interface EditProposal {
  readonly edits: readonly TextEdit[];
  /** Likelihood among the proposals of its template, in (0, 1]. */
  readonly weight: number;
  /** A warning, set if the edit may only hide the failure. */
  readonly risk?: string;
}

/** Replaces a node with a text. */
export function replace(node: Node, text: string, weight = 1): EditProposal {
  return { edits: [{ start: node.startIndex, end: node.endIndex, text }], weight };
}

/** Replaces a range with a text. */
export function replaceRange(
  range: readonly [number, number],
  text: string,
  weight = 1,
): EditProposal {
  return { edits: [{ start: range[0], end: range[1], text }], weight };
}

/** Swaps the texts of two nodes. */
export function exchange(one: Node, other: Node, weight = 1): EditProposal {
  return {
    edits: [
      { start: one.startIndex, end: one.endIndex, text: other.text },
      { start: other.startIndex, end: other.endIndex, text: one.text },
    ],
    weight,
  };
}

/** The same edits of a part of the text, which begins at `from`. */
export function editsFrom(from: number, edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.map(e => ({ ...e, start: e.start - from, end: e.end - from }));
}

/** Applies edits that do not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  const inOrder = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  return inOrder.reduce((now, e) => now.slice(0, e.start) + e.text + now.slice(e.end), text);
}
