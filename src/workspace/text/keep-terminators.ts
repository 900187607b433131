/** Chooses the line endings of a text that replaces another one. */
import { diffArrays } from 'diff';
import { dominantTerminator, type TextFile } from './text-file.ts';

type LineEnd = '\n' | '\r\n';

/** Changed lines up to which lines in between are recognised as kept; it bounds the work, not the result. */
const maxEditLength = 500;

/**
 * The terminator of each new line: that of the old line that it is, else of the one that it replaces, else
 * of the line before it. A file with one kind of terminator keeps that kind.
 */
export function keepTerminators(file: TextFile, lines: readonly string[]): readonly LineEnd[] {
  const style = dominantTerminator(file);
  const old = file.terminators.map(t => t || style);
  if (old.every(t => t === style)) return lines.map(() => style);
  const ends: LineEnd[] = [];
  let at = 0;
  for (const { kept, removed, added } of lineRuns(file.lines, lines)) {
    const first = at;
    at += kept + removed;
    for (let i = 0; i < kept; i++) ends.push(old[first + i] ?? style);
    for (let i = 0; i < added; i++)
      ends.push((i < removed ? old[first + i] : ends.at(-1)) ?? old[at] ?? style);
  }
  return ends;
}

/** Kept lines, or removed lines with the lines in their place. */
interface LineRun {
  readonly kept: number;
  readonly removed: number;
  readonly added: number;
}

/** The difference in order: what both begin and end with is kept; in between, what a line difference finds. */
function lineRuns(before: readonly string[], after: readonly string[]): readonly LineRun[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const parts = diffArrays(removed, added, { maxEditLength });
  const middle: LineRun[] = [];
  for (const part of parts ?? []) {
    const open = middle.at(-1);
    const count = part.value.length;
    if (!part.added && !part.removed) middle.push({ kept: count, removed: 0, added: 0 });
    else {
      const change = { kept: 0, removed: part.removed ? count : 0, added: part.added ? count : 0 };
      if (open === undefined || open.kept > 0) middle.push(change);
      else
        middle.splice(-1, 1, {
          kept: 0,
          removed: open.removed + change.removed,
          added: open.added + change.added,
        });
    }
  }
  const whole = { kept: 0, removed: removed.length, added: added.length };
  const keptOnly = (kept: number) => ({ kept, removed: 0, added: 0 });
  return [keptOnly(head), parts === undefined ? whole : middle, keptOnly(tail)].flat();
}
