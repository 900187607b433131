/** Applies line edits to a text, all of them or none. */
import { commonEnds, plural } from '../../base/plural.ts';
import type { Replacement } from '../../guard/seen-lines.ts';
import { compareLines } from './compare-lines.ts';
import { dominantTerminator, splitLines, type Terminator, type TextFile } from './text-file.ts';

/**
 * One edit, 1-based, in the numbering of the file before the call. Without `endLine` it replaces
 * one line; `endLine = startLine - 1` inserts before `startLine`. Content is split at newlines and
 * one newline at its end is a terminator: `''` is no line at all, `'\n'` is one empty line.
 */
export interface LineEdit {
  readonly startLine: number;
  readonly endLine?: number;
  readonly content: string;
}

/** What edits of a file may state about the whole of it. */
interface EditOptions {
  /** Whether the last line ends with a newline; as before when absent. Needs an edit of that line. */
  readonly finalNewline?: boolean | undefined;
}

export type EditResult =
  | { readonly ok: true; readonly file: TextFile; readonly replacements: readonly Replacement[] }
  | { readonly ok: false; readonly problems: readonly string[] };

interface NumberedEdit {
  readonly index: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

/** Applies edits; their line numbers refer to the file as given. Reports all problems at once. */
export function applyEdits(
  file: TextFile,
  edits: readonly LineEdit[],
  { finalNewline }: EditOptions = {},
): EditResult {
  const numbered = edits.map(numberEdit);
  const count = file.lines.length;
  const reachesEnd = numbered.some(e => Math.max(e.startLine, e.endLine) >= count);
  const problems = [
    ...numbered.flatMap(p => rangeProblems(p, count)),
    ...overlaps(numbered),
    finalNewline === undefined || reachesEnd
      ? undefined
      : `final_newline: needs an edit of the last line, ${count}`,
  ].filter(item => item !== undefined);
  if (problems.length > 0) return { ok: false, problems };
  const sorted = [...numbered].sort(
    (a, b) => a.startLine - b.startLine || a.endLine - b.endLine || a.index - b.index,
  );
  const lines: string[] = [];
  const terminators: Terminator[] = [];
  const style = dominantTerminator(file);
  let next = 1;
  const copyUpTo = (line: number) => {
    for (; next <= line; next++) {
      lines.push(file.lines[next - 1] ?? '');
      terminators.push(file.terminators[next - 1] ?? style);
    }
  };
  for (const edit of sorted) {
    copyUpTo(edit.startLine - 1);
    // of the line in its place, or of the last one that is replaced
    const place = (i: number) =>
      Math.max(edit.startLine, Math.min(edit.startLine + i, edit.endLine));
    lines.push(...edit.lines);
    terminators.push(...edit.lines.map((_, i) => file.terminators[place(i) - 1] || style));
    next = Math.max(next, edit.endLine + 1);
  }
  copyUpTo(file.lines.length);
  const open = finalNewline === undefined ? isOpen(file) : !finalNewline;
  const result = { ...file, lines, terminators: withEnd(terminators, open, style) };
  const replacements = sorted.map(({ startLine, endLine, lines: l }) => ({
    startLine,
    endLine,
    inserted: l.length,
  }));
  return { ok: true, file: result, replacements };
}

/**
 * Replaces the whole text; an existing file keeps its encoding and byte order mark. A line that stays keeps
 * its terminator, and a new line takes that of the line that it replaces or follows. The content alone
 * decides whether the last line has one.
 */
export function replaceContent(file: TextFile | undefined, content: string): TextFile {
  const bom = content.startsWith('\uFEFF');
  const split = splitLines(bom ? content.slice(1) : content);
  if (file === undefined) return { bom, ...split };
  const kept = keepTerminators(file, split.lines);
  const terminators = split.terminators.map((t, i) => (t === '' ? '' : (kept[i] ?? '\n')));
  return { ...file, bom: bom || file.bom, lines: split.lines, terminators };
}

function numberEdit(edit: LineEdit, index: number): NumberedEdit {
  const endLine = edit.endLine ?? edit.startLine;
  return { index, startLine: edit.startLine, endLine, lines: splitLines(edit.content).lines };
}

function rangeProblems(p: NumberedEdit, count: number): string[] {
  const name = `edit ${p.index + 1} (${p.startLine}-${p.endLine})`;
  if (p.endLine <= count) return [];
  const lines = plural(count, 'line');
  return [`${name}: the file has ${lines}; start_line ${count + 1} with end_line ${count} appends`];
}

/** Reports overlaps. Inserts at one line keep their order, and can touch the border of a replacement. */
function overlaps(numbered: readonly NumberedEdit[]): string[] {
  const problems: string[] = [];
  for (const [i, a] of numbered.entries()) {
    for (const b of numbered.slice(i + 1)) {
      if (
        Math.max(a.startLine, b.startLine) > Math.min(a.endLine, b.endLine) &&
        !splits(a, b) &&
        !splits(b, a)
      )
        continue;
      problems.push(
        `edit ${a.index + 1} (${a.startLine}-${a.endLine}) and edit ${b.index + 1} (${b.startLine}-${b.endLine}) overlap`,
      );
    }
  }
  return problems;
}

/** True when an edit begins inside the range of another one, behind its first line. */
function splits(insert: NumberedEdit, other: NumberedEdit): boolean {
  return insert.startLine > other.startLine && insert.startLine <= other.endLine;
}

/** True for a text whose last line has no newline. */
export function isOpen({ terminators }: Pick<TextFile, 'terminators'>): boolean {
  return terminators.at(-1) === '';
}

/** Only the last line can lack a terminator, and it does exactly when the text is open. */
function withEnd(
  terminators: readonly Terminator[],
  open: boolean,
  style: Terminator,
): Terminator[] {
  return terminators.map((t, i) =>
    i === terminators.length - 1 && open ? '' : t === '' ? style : t,
  );
}

type LineEnd = '\n' | '\r\n';

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
  for (const { oldStart, oldEnd, newStart, newEnd } of compareLines(file.lines, lines)) {
    for (const end of old.slice(at, oldStart)) ends.push(end);
    for (let i = oldStart; i < oldStart + newEnd - newStart; i++)
      ends.push((i < oldEnd ? old[i] : ends.at(-1)) ?? old[oldEnd] ?? style);
    at = oldEnd;
  }
  return [...ends, ...old.slice(at)];
}

/**
 * The edit of whole lines that puts a text in the place of another one, without the lines that both begin or end with.
 * A newline at the end of either ends its last line.
 * @returns the lines where the old text begins, unless it is there once.
 */
export function placeText(
  lines: readonly string[],
  { old, content }: { readonly old: string; readonly content: string },
): Required<LineEdit> | readonly number[] {
  const text = lines.join('\n');
  const [wanted = '', made] = [old, content].map(t => withLineFeeds(t).replace(/\n$/, ''));
  const ends = old.endsWith('\n') && wanted !== '' ? '\n' : '';
  const places = findPlaces(`${text}\n`, `${wanted}${ends}`);
  const [at, another] = places;
  if (at === undefined || another !== undefined)
    return places.map(index => text.slice(0, index).split('\n').length);
  const end = at + wanted.length;
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const stop = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
  const block = `${text.slice(start, at)}${made}${text.slice(end, stop)}`;
  const before = text.slice(start, stop).split('\n');
  const after = content === '' && block.trim() === '' ? [] : block.split('\n');
  const first = text.slice(0, start).split('\n').length;
  return trimEdit(first, before, after);
}

/** The edit from the first to the last line that differs; of lines that are the same, all of them. */
function trimEdit(
  first: number,
  before: readonly string[],
  after: readonly string[],
): Required<LineEdit> {
  const { head: same, tail } = commonEnds(before, after);
  const head = same === before.length && same === after.length ? 0 : same;
  const made = after.slice(head, after.length - tail).map(line => `${line}\n`);
  const endLine = first + before.length - tail - 1;
  return { startLine: first + head, endLine, content: made.join('') };
}

/** At most a hundred places of a text, which may overlap. */
function findPlaces(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  let at = wanted === '' ? -1 : text.indexOf(wanted);
  for (; at >= 0 && places.length < 100; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
