/** Edits of a text by offset. Pure. */
import { commonEnds } from '../../base/plural.ts';

/** Replaces `[start, end)`, in UTF-16 units of the text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
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

/** Replaces lines `startLine` to `endLine`, counted from 1 and inclusive, with `content`. */
export interface LineReplacement {
  readonly startLine: number;
  readonly endLine: number;
  readonly content: string;
}

/** The smallest range of lines that holds the edits, with its new text; undefined if nothing differs. */
export function findLineEdit(
  text: string,
  edits: readonly TextEdit[],
): LineReplacement | undefined {
  const before = text.split('\n');
  const after = applyTextEdits(text, edits).split('\n');
  const { head: top, tail: bottom } = commonEnds(before, after);
  const removed = before.length - top - bottom;
  const added = after.slice(top, after.length - bottom);
  if (removed === 0 && added.length === 0) return undefined;
  // a pure insertion or deletion includes a neighbouring line, so that it is a replacement, too
  if (removed === 0 || added.length === 0) {
    const withBefore = top > 0;
    const neighbour = withBefore ? top - 1 : top + removed;
    const start = withBefore ? top : top + 1;
    const content = withBefore
      ? [before[neighbour] ?? '', ...added]
      : [...added, before[neighbour] ?? ''];
    return {
      startLine: start,
      endLine: withBefore ? top + removed : top + removed + 1,
      content: content.join('\n'),
    };
  }
  return { startLine: top + 1, endLine: top + removed, content: added.join('\n') };
}
