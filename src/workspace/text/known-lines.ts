/** Tracks which lines of a file the run knows after edits moved them. */
import type { LineRange } from '../../guard/claim.ts';
import type { KnownLines } from '../../guard/evidence.ts';

/** A replaced range of the old text, and the number of lines that replaced it. */
export interface Replacement extends LineRange {
  readonly inserted: number;
}

/** What a change of one file did to its lines, and the lines of the new text that its result shows. */
export interface MovedFile {
  /** `all`: the whole file is new. */
  readonly replacements: readonly Replacement[] | 'all';
  readonly shown: KnownLines;
  /** The number of lines; undefined when the file does not exist. */
  readonly linesBefore: number | undefined;
  readonly linesAfter: number | undefined;
}

/** How a call moved the lines of files: by a patch, or back by undoing the last one. */
export type LineMoves = 'undo' | ReadonlyMap<string, MovedFile>;

/**
 * Renumbers the known lines after edits of one file. Replaced lines are forgotten, inserted lines are known
 * by their new text, and lines after an edit move.
 */
export function shiftKnown(
  known: KnownLines,
  replacements: readonly Replacement[],
  newLines: readonly string[],
): KnownLines {
  const sorted = [...replacements].sort(
    (a, b) => a.startLine - b.startLine || a.endLine - b.endLine,
  );
  const next = new Map<number, string>();
  for (const [line, text] of known) {
    if (sorted.some(r => line >= r.startLine && line <= r.endLine)) continue;
    const moved = sorted
      .filter(r => r.endLine < line)
      .reduce((sum, r) => sum + r.inserted - size(r), 0);
    next.set(line + moved, text);
  }
  let moved = 0;
  for (const r of sorted) {
    for (let i = 0; i < r.inserted; i++) {
      const line = r.startLine + moved + i;
      const text = newLines[line - 1];
      if (text !== undefined) next.set(line, text);
    }
    moved += r.inserted - size(r);
  }
  return next;
}

/** All lines of a text as known lines. */
export function allKnown(lines: readonly string[]): KnownLines {
  return new Map(lines.map((text, i) => [i + 1, text]));
}

function size(r: LineRange): number {
  return Math.max(0, r.endLine - r.startLine + 1);
}
