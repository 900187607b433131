/** The lines that a model has seen, wherever patches move them: an edit lands on the lines that were meant, or nowhere. */
import { digest } from '../base/digest.ts';
import type { EditRange, LineRange } from './claim.ts';

/** Lines of one file that the run has seen: text by line number. */
export type KnownLines = ReadonlyMap<number, string>;

/** The lines that an edit replaces, in the numbers that the model saw; `endLine = startLine - 1` inserts. */
interface MeantEdit extends LineRange {
  /** What the model says it replaces: its first and last line, all of its lines, or the hash of a read. */
  readonly old?: string | undefined;
}

/** A replaced range of the old text, and the number of lines that replaced it. */
export interface Replacement extends LineRange {
  readonly inserted: number;
}

/** What a change of one file did to its lines, and the lines of the new text that its result shows. */
export interface MovedFile {
  /** `all`: the whole file is new, and the model knows no more of it than is shown. */
  readonly replacements: readonly Replacement[] | 'all';
  readonly shown: KnownLines;
  /** The lines before and after; undefined when the file does not exist. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[] | undefined;
}

/** The lines of a file in order, each by an id that it keeps while it moves. */
type Ids = number[];
/** Finds the line that a number means. */
type Lookup = (line: number) => number | undefined;

/** The lines of a file in one result. */
export interface ShownLines {
  readonly path: string;
  /** Under the numbers that the result shows. */
  readonly lines: KnownLines;
  /** All lines of the file at that time; the same list while no patch moves them. */
  readonly at: readonly number[];
  /** The lines of the file now. */
  readonly file: { readonly now: readonly number[] | undefined };
  readonly hash: string;
}

interface SeenFile {
  /** Undefined when the file does not exist. */
  now: Ids | undefined;
  /** The lines before the reply whose calls run. */
  atReply: Ids | undefined;
  /** What results showed; the last ones are those of this reply. */
  readonly shown: ShownLines[];
  /** How many of them earlier replies have. */
  earlier: number;
}

/** A file before a patch, and which of its lines the model did not know then. */
interface FileBefore {
  readonly file: SeenFile;
  readonly now: Ids | undefined;
  readonly unknown: readonly number[] | undefined;
}

/** The short hash that a read of these lines shows: nine digits, which are few tokens. */
export function hashLines(lines: KnownLines): string {
  const rows = [...lines].map(([line, text]) => `${line}\t${text}`);
  const hash = Number.parseInt(digest(rows.join('\n')).slice(0, 12), 16) % 1e9;
  return `${hash}`.padStart(9, '0');
}

/**
 * The lines of a range that are not known; of an empty range, those beside it unless one of them is known.
 * @param count the lines of the file.
 */
export function listUnknown(
  { startLine, endLine }: LineRange,
  count: number,
  known: ReadonlySet<number> = new Set(),
): readonly number[] {
  if (endLine < startLine)
    return count === 0 || known.has(startLine) || known.has(endLine) ? [] : [endLine, startLine];
  const size = Math.max(0, Math.min(endLine, count) - startLine + 1);
  return Array.from({ length: size }, (_, i) => startLine + i).filter(line => !known.has(line));
}

/** Which of these lines are still in their files, by file, in the numbers now. */
export function locateLines(shown: Iterable<ShownLines>): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, ReadonlySet<number>>();
  for (const [path, results] of Map.groupBy(shown, s => s.path)) {
    const ids = new Set(results.flatMap(listIds));
    const now = results[0]?.file.now ?? [];
    const lines = now.flatMap((id, i) => (ids.has(id) ? [i + 1] : []));
    if (lines.length > 0) found.set(path, new Set(lines));
  }
  return found;
}

/** True when a result shows all of these lines under these numbers, and no patch has moved any line since. */
export function showsAgain(
  results: readonly ShownLines[],
  { path, lines, at }: ShownLines,
): boolean {
  const same = results.filter(s => s.path === path && s.at === at);
  return lines.entries().every(([line, text]) => same.some(s => s.lines.get(line) === text));
}

/**
 * Follows the lines of files through patches and undo, and keeps under which number the model saw each of them last.
 * The numbers of a reply mean the file before that reply, since its results are not seen yet. Changed only through its
 * methods.
 */
export class SeenLines {
  readonly #files = new Map<string, SeenFile>();
  /** The text of each line that the model knows, also of those that an undo can bring back. */
  readonly #known = new Map<number, string>();
  /** The changed files before each patch that was not undone. */
  readonly #before: (readonly FileBefore[])[] = [];
  readonly #untaken: ShownLines[] = [];
  #lastId = 0;

  /** Called before the calls of a reply run: from now on the model has seen all earlier results. */
  beginReply(): void {
    for (const file of this.#files.values()) {
      file.atReply = file.now;
      file.earlier = file.shown.length;
    }
  }

  /** A result shows these lines under their numbers now. */
  show(path: string, lines: KnownLines): void {
    const last = lines.keys().reduce((most, line) => Math.max(most, line), 0);
    const file = this.#openFile(path, last);
    const at = file.now ?? [];
    for (const [line, text] of lines) {
      const id = at[line - 1];
      if (id !== undefined) this.#known.set(id, text);
    }
    const shown = { path, lines, at, file, hash: hashLines(lines) };
    file.shown.push(shown);
    this.#untaken.push(shown);
  }

  /** What was shown since the last call. */
  takeShown(): readonly ShownLines[] {
    return this.#untaken.splice(0);
  }

  /** A patch moved the lines of files. */
  patch(moves: ReadonlyMap<string, MovedFile>): void {
    const before = [...moves].map(([path, moved]) => {
      const file = this.#openFile(path, moved.before?.length);
      const { now } = file;
      const unknown = now?.filter(id => !this.#known.has(id));
      file.now = this.#move(now, moved);
      return { file, now, unknown };
    });
    this.#before.push(before);
    for (const [path, { shown }] of moves) this.show(path, shown);
  }

  /**
   * The last patch was undone: the model knows of its files what it knew before, if a result still shows that. One that is
   * not known here leaves no line of any file known.
   */
  undo(): void {
    const before = this.#before.pop();
    if (before === undefined) for (const file of this.#files.values()) file.now = [];
    for (const { file, now, unknown = [] } of before ?? []) {
      file.now = now;
      for (const id of unknown) this.#known.delete(id);
    }
  }

  /** The lines of a file that the model knows, by their numbers now; undefined for a file that does not exist. */
  listKnown(path: string): KnownLines | undefined {
    const now = this.#files.get(path)?.now;
    if (now === undefined) return undefined;
    const lines = now.map((id, i) => [i + 1, this.#known.get(id)] as const);
    return new Map(lines.flatMap(([line, text]) => (text === undefined ? [] : [[line, text]])));
  }

  /** Drops every line that none of these results shows. @returns what is no longer known, by file. */
  keep(
    shown: Iterable<ShownLines>,
  ): readonly { readonly path: string; readonly lines: readonly number[] }[] {
    const ids = new Set([...shown].flatMap(listIds));
    const isGone = (id: number) => this.#known.has(id) && !ids.has(id);
    const gone = [...this.#files].map(([path, { now = [] }]) => ({
      path,
      lines: now.flatMap((id, i) => (isGone(id) ? [i + 1] : [])),
    }));
    for (const id of [...this.#known.keys()].filter(isGone)) this.#known.delete(id);
    return gone.filter(({ lines }) => lines.length > 0);
  }

  /** The lines that an edit replaces now. @param lines the text of the file now. */
  place(path: string, lines: readonly string[], edit: MeantEdit): EditRange {
    const file = this.#openFile(path, lines.length);
    const now = file.now ?? [];
    const earlier = file.shown.slice(0, file.earlier);
    // a file that this reply made had no numbers before it
    const results = file.atReply === undefined ? file.shown : earlier;
    const at = file.atReply ?? now;
    const { startLine } = edit;
    // models that fill in every argument state nothing with an empty text
    const old = edit.old === '' ? undefined : edit.old;
    const inResults: Lookup = line => results.findLast(s => s.lines.has(line))?.at[line - 1];
    const isNext = startLine === at.length + 1 && inResults(startLine) === undefined;
    // in place of the line after the last one, it appends
    const endLine = isNext && old === undefined ? at.length : edit.endLine;
    const given = { startLine, endLine };
    const isInsert = endLine < startLine;
    const last = isInsert ? startLine - 1 : endLine;
    const find = (lookup: Lookup) =>
      isInsert ? findGap(startLine, { lookup, at, now }) : findRange(given, { lookup, now });
    const inFile: Lookup = line => at[line - 1];
    const named = earlier.findLast(s => s.hash === old?.trim().replace(/^#/, ''));
    if (named !== undefined) return find(line => findId(named, line)) ?? { ...given, moved: [] };
    const once = old === undefined ? undefined : findOnce(old, given, lines);
    if (once !== undefined) return once;
    if (last > at.length && inResults(last) === undefined)
      return at === now ? given : { ...given, moved: [] };
    const here = find(inFile);
    const there = find(inResults);
    const agrees = (line: number) => inFile(line) === inResults(line);
    const isSure = here !== undefined && isPlaced(given, { at, inResults, agrees });
    if (isSure && (old === undefined || isStated(old, here, lines))) return here;
    const possible = distinct([here, there]);
    if (old === undefined) return { ...(here ?? given), moved: possible };
    const between = listUnstated(old, given);
    const isCertain = (r: LineRange) =>
      isStated(old, r, lines) && (r.startLine === there?.startLine || between.every(agrees));
    // the numbers of an earlier result count for an edit that states every line
    const whole = isWhole(old, given) ? earlier : [];
    const ranges = whole.map(shown => find(line => findId(shown, line)));
    const fitting = distinct([here, there, ...ranges]).filter(isCertain);
    const [range] = fitting;
    return range !== undefined && fitting.length === 1
      ? range
      : { ...(here ?? given), moved: possible };
  }

  /** A file with at least so many lines; undefined for one that does not exist. */
  #openFile(path: string, lines: number | undefined): SeenFile {
    const ids: Ids | undefined = lines === undefined ? undefined : [];
    const opened = this.#files.get(path);
    const file = opened ?? { now: ids, atReply: ids, shown: [], earlier: 0 };
    this.#files.set(path, file);
    // before the first patch of a reply, both lists are the same one
    const { now } = file;
    while (now !== undefined && now.length < (lines ?? 0)) now.push(this.#newId());
    return file;
  }

  #move(old: Ids | undefined, { replacements, after }: MovedFile): Ids | undefined {
    if (after === undefined) return undefined;
    if (old === undefined || replacements === 'all') return after.map(() => this.#newId());
    let next: Ids = [];
    let from = 0;
    const sorted = replacements.toSorted(
      (a, b) => a.startLine - b.startLine || a.endLine - b.endLine,
    );
    for (const { startLine, endLine, inserted } of sorted) {
      next = next.concat(old.slice(from, startLine - 1));
      const made = after.slice(next.length, next.length + inserted);
      next = next.concat(made.map(text => this.#newId(text)));
      from = Math.max(from, startLine - 1, endLine);
    }
    return next.concat(old.slice(from));
  }

  /** An id of a line; its text if the model knows it. */
  #newId(text?: string): number {
    this.#lastId += 1;
    if (text !== undefined) this.#known.set(this.#lastId, text);
    return this.#lastId;
  }
}

function findId({ lines, at }: ShownLines, line: number): number | undefined {
  return lines.has(line) ? at[line - 1] : undefined;
}

function listIds({ lines, at }: ShownLines): readonly number[] {
  return [...lines.keys()].flatMap(line => at[line - 1] ?? []);
}

/** Where the lines of a range are now; undefined unless all of them are there, side by side. */
function findRange(
  { startLine, endLine }: LineRange,
  { lookup, now }: { readonly lookup: Lookup; readonly now: Ids },
): LineRange | undefined {
  const first = lookup(startLine);
  const start = first === undefined ? -1 : now.indexOf(first);
  if (start < 0) return undefined;
  for (let line = startLine; line <= endLine; line++) {
    const id = lookup(line);
    if (id === undefined || now[start + line - startLine] !== id) return undefined;
  }
  return { startLine: start + 1, endLine: start + 1 + endLine - startLine };
}

/** Where the place before a line is now; undefined when neither of its neighbours is there any more. */
function findGap(
  line: number,
  { lookup, at, now }: { readonly lookup: Lookup; readonly at: Ids; readonly now: Ids },
): LineRange | undefined {
  const [before, after] = [lookup(line - 1), lookup(line)];
  const isApart =
    before !== undefined && after !== undefined && at.indexOf(after) !== at.indexOf(before) + 1;
  if (isApart) return undefined;
  const next = after === undefined ? -1 : now.indexOf(after);
  if (next >= 0) return { startLine: next + 1, endLine: next };
  const previous = before === undefined ? -1 : now.indexOf(before);
  if (previous >= 0) return { startLine: previous + 2, endLine: previous + 1 };
  return now.length === 0 && line === 1 ? { startLine: 1, endLine: 0 } : undefined;
}

/** True when the model saw the lines of an edit under the numbers that they had before the reply. */
function isPlaced(
  { startLine, endLine }: LineRange,
  seen: {
    readonly at: Ids;
    readonly inResults: Lookup;
    readonly agrees: (line: number) => boolean;
  },
): boolean {
  const { at, inResults, agrees } = seen;
  if (endLine >= startLine) {
    for (let line = startLine; line <= endLine; line++)
      if (inResults(line) === undefined || !agrees(line)) return false;
    return true;
  }
  if (at.length === 0) return startLine === 1;
  const known = [startLine - 1, startLine].filter(line => inResults(line) !== undefined);
  return known.length > 0 && known.every(agrees);
}

function distinct(ranges: readonly (LineRange | undefined)[]): readonly LineRange[] {
  const found: LineRange[] = [];
  for (const range of ranges)
    if (range !== undefined && !found.some(r => r.startLine === range.startLine)) found.push(range);
  return found;
}

/** The lines of a stated text, without empty lines around them. */
function statedLines(old: string): readonly string[] {
  return old.replace(/^(?:[^\S\n]*\n)+|(?:\n[^\S\n]*)+$/g, '').split('\n');
}

/** True when a text states each line of a range, by its number of lines. */
function isWhole(old: string, { startLine, endLine }: LineRange): boolean {
  return statedLines(old).length >= endLine - startLine + 1;
}

/** Where the file has the lines of a range, all of which a text states; undefined unless they are there once. */
function findOnce(
  old: string,
  { startLine, endLine }: LineRange,
  lines: readonly string[],
): LineRange | undefined {
  const size = endLine - startLine + 1;
  const stated = statedLines(old).map(line => line.trim());
  if (old.trim() === '' || stated.length !== size) return undefined;
  const all = lines.map(line => line.trim());
  const isAt = (_: string, at: number) => stated.every((text, i) => text === all[at + i]);
  const first = all.findIndex(isAt);
  return first >= 0 && first === all.findLastIndex(isAt)
    ? { startLine: first + 1, endLine: first + size }
    : undefined;
}

/** The lines of a range that a stated text leaves out. */
function listUnstated(old: string, range: LineRange): readonly number[] {
  const { startLine, endLine } = range;
  if (isWhole(old, range)) return [];
  const last = statedLines(old).length === 1 ? endLine : endLine - 1;
  return Array.from({ length: last - startLine }, (_, i) => startLine + 1 + i);
}

/** True when a text states the lines of a range: its first and last line, or all of them. */
function isStated(
  old: string,
  { startLine, endLine }: LineRange,
  lines: readonly string[],
): boolean {
  const stated = statedLines(old);
  const [first = '', last = ''] = [stated.at(0), stated.at(-1)];
  const same = (text: string, line: number) =>
    lines[line - 1] !== undefined && text.trim() === lines[line - 1]?.trim();
  if (endLine < startLine)
    return stated.length === 1
      ? same(first, startLine) || same(first, endLine)
      : same(first, endLine) && same(last, startLine);
  const count = endLine - startLine + 1;
  if (stated.length === count) return stated.every((text, i) => same(text, startLine + i));
  if (stated.length > 2) return false;
  return same(first, startLine) && (stated.length === 1 || same(last, endLine));
}
