/** Turns text edits into replacements of whole lines, as a patch needs them. Pure. */
import { applyTextEdits, type TextEdit } from './edit.ts';

/** Replaces lines `startLine` to `endLine`, counted from 1 and inclusive, with `content`. */
export interface LineReplacement {
  readonly startLine: number;
  readonly endLine: number;
  readonly content: string;
}

/** The smallest range of lines that holds the edits, with its new text; null if nothing differs. */
export function lineEditOf(text: string, edits: readonly TextEdit[]): LineReplacement | null {
  const before = text.split('\n');
  const after = applyTextEdits(text, edits).split('\n');
  let top = 0;
  while (top < Math.min(before.length, after.length) && before[top] === after[top]) top += 1;
  let bottom = 0;
  while (
    bottom < Math.min(before.length, after.length) - top &&
    before[before.length - 1 - bottom] === after[after.length - 1 - bottom]
  )
    bottom += 1;
  const removed = before.length - top - bottom;
  const added = after.slice(top, after.length - bottom);
  if (removed === 0 && added.length === 0) return null;
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
