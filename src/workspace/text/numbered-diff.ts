/** Renders a change of one text as a diff whose rows have the line numbers that an edit may use. Pure. */
import { compareLines, groupByContext, type ReplacedLines } from './compare-lines.ts';

export interface NumberedDiffOptions {
  /** Which lines are numbered: those of the file that the session holds. */
  readonly numbers: 'before' | 'after';
  /** Unchanged lines around each change. */
  readonly context: number;
  readonly maxBytes: number;
  /** What replaces what; found by comparison when absent. */
  readonly replaced?: readonly ReplacedLines[] | undefined;
  /** True for a place to show, by its first and last old line; all when absent. */
  readonly only?: ((first: number, last: number) => boolean) | undefined;
}

export interface NumberedDiff {
  /** Rows of a number or nothing, a tab, and the sign and text of a line in a diff. */
  readonly text: string;
  /** The numbered lines that the rows show in full. */
  readonly shown: ReadonlyMap<number, string>;
  /** The first old line of each place that is not shown, or not in full. */
  readonly left: ReadonlySet<number>;
}

interface Row {
  readonly number: number | undefined;
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** Most characters of a line that are shown. */
const maxLine = 400;

/** The difference of two texts, place by place; a place that does not fit is left out whole, except the first. */
export function renderNumberedDiff(
  before: readonly string[],
  after: readonly string[],
  { numbers, context, maxBytes, only, replaced = compareLines(before, after) }: NumberedDiffOptions,
): NumberedDiff {
  const texts = { before, after, numbers };
  const shown = new Map<number, string>();
  const rows: string[] = [];
  let bytes = 0;
  const left = new Set<number>();
  for (const place of groupByContext(replaced, context)) {
    const first = (place[0]?.oldStart ?? 0) + 1;
    if (only?.(first, place.at(-1)?.oldEnd ?? 0) === false) continue;
    const placeRows = makeRows(place, context, texts);
    const texted = placeRows.map(renderRow);
    const size = texted.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0);
    const isWhole = bytes + size <= maxBytes;
    if (!isWhole) left.add(first);
    if (!isWhole && rows.length > 0) continue;
    for (const [i, { number, line }] of placeRows.entries()) {
      const row = texted[i] ?? '';
      bytes += Buffer.byteLength(row) + 1;
      if (bytes > maxBytes) break;
      rows.push(row);
      if (number !== undefined && line.length <= maxLine) shown.set(number, line);
    }
  }
  return { text: rows.join('\n'), shown, left };
}

interface Texts extends Pick<NumberedDiffOptions, 'numbers'> {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function makeRows(
  place: readonly ReplacedLines[],
  context: number,
  { before, after, numbers }: Texts,
): readonly Row[] {
  const rows: Row[] = [];
  const [first, last] = [place.at(0), place.at(-1)];
  if (first === undefined || last === undefined) return rows;
  const keep = (from: number, to: number, shift: number) => {
    for (let i = from; i < to; i++)
      rows.push({ number: i + 1 + shift, sign: ' ', line: before[i] ?? '' });
  };
  /** What is added to an index of the old text to get the number of the same line. */
  const countShift = (oldAt: number, newAt: number) => (numbers === 'after' ? newAt - oldAt : 0);
  let at = Math.max(0, first.oldStart - context);
  for (const { oldStart, oldEnd, newStart, newEnd } of place) {
    keep(at, oldStart, countShift(oldStart, newStart));
    for (let i = oldStart; i < oldEnd; i++)
      rows.push({
        number: numbers === 'before' ? i + 1 : undefined,
        sign: '-',
        line: before[i] ?? '',
      });
    for (let i = newStart; i < newEnd; i++)
      rows.push({
        number: numbers === 'after' ? i + 1 : undefined,
        sign: '+',
        line: after[i] ?? '',
      });
    at = oldEnd;
  }
  keep(at, Math.min(before.length, at + context), countShift(last.oldEnd, last.newEnd));
  return rows;
}

function renderRow({ number, sign, line }: Row): string {
  return `${number ?? ''}\t${sign}${line.slice(0, maxLine)}`;
}
