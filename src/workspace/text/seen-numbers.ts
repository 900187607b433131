/** What the line numbers that the model saw mean now: an edit lands on the lines that were meant, or nowhere. */
import { digest } from '../../base/digest.ts';
import type { EditRange, LineRange } from '../../guard/claim.ts';
import type { KnownLines } from '../../guard/evidence.ts';
import type { MovedFile } from './edits.ts';

/** The lines that an edit replaces, in the numbers that the model saw; `endLine = startLine - 1` inserts. */
interface MeantEdit extends LineRange {
  /** What the model says it replaces: its first and last line, all of its lines, or the hash of a read. */
  readonly old?: string | undefined;
}

/** The lines of a file in order, each by an id that it keeps while it moves. */
type Ids = number[];
/** An id by the number under which the line was shown. */
type Shown = ReadonlyMap<number, number>;
/** Finds the line that a number means. */
type Lookup = (line: number) => number | undefined;

interface SeenFile {
  /** Undefined when the file does not exist. */
  now: Ids | undefined;
  /** The lines before the reply whose calls run. */
  atReply: Ids | undefined;
  /** What the model saw last under each number, in the results of earlier replies. */
  seen: Shown;
  /** What the results of this reply show. */
  fresh: Shown;
  /** The results of earlier replies by the hash of what each of them showed. */
  blocks: ReadonlyMap<string, Shown>;
  freshBlocks: ReadonlyMap<string, Shown>;
}

/** Most results of a file that are kept. */
const maxBlocks = 200;

/** The short hash that a read of these lines shows: nine digits, which are few tokens. */
export function hashLines(lines: KnownLines): string {
  const rows = [...lines].map(([line, text]) => `${line}\t${text}`);
  const hash = Number.parseInt(digest(rows.join('\n')).slice(0, 12), 16) % 1e9;
  return `${hash}`.padStart(9, '0');
}

/**
 * Follows the lines of files through patches and undo, and keeps under which number the model saw each of them last.
 * The numbers of a reply mean the file before that reply, since its results are not seen yet. Changed only through its
 * methods.
 */
export class SeenNumbers {
  readonly #files = new Map<string, SeenFile>();
  /** The lines of the changed files before each patch that was not undone. */
  readonly #before: ReadonlyMap<string, Ids | undefined>[] = [];
  #lastId = 0;

  /** Called before the calls of a reply run: from now on the model has seen all earlier results. */
  beginReply(): void {
    for (const file of this.#files.values()) {
      file.atReply = file.now;
      if (file.fresh.size === 0) continue;
      file.seen = new Map([...file.seen, ...file.fresh]);
      file.fresh = new Map();
      file.blocks = new Map([...file.blocks, ...file.freshBlocks].slice(-maxBlocks));
      file.freshBlocks = new Map();
    }
  }

  /** A result shows these lines under their numbers now. */
  show(path: string, lines: KnownLines): void {
    const file = this.#openFile(
      path,
      lines.keys().reduce((most, line) => Math.max(most, line), 0),
    );
    const shown = new Map<number, number>();
    for (const line of lines.keys()) {
      const id = file.now?.[line - 1];
      if (id !== undefined) shown.set(line, id);
    }
    file.fresh = new Map([...file.fresh, ...shown]);
    file.freshBlocks = new Map([...file.freshBlocks, [hashLines(lines), shown]]);
  }

  /** A patch moved the lines of files. */
  patch(moves: ReadonlyMap<string, MovedFile>): void {
    const before = [...moves].map(([path, { replacements, linesBefore, linesAfter }]) => {
      const file = this.#openFile(path, linesBefore);
      const old = file.now;
      file.now =
        linesAfter === undefined || old === undefined || replacements === 'all'
          ? this.#newIds(linesAfter)
          : this.#replace(old, replacements);
      return [path, old] as const;
    });
    this.#before.push(new Map(before));
    for (const [path, { shown }] of moves) this.show(path, shown);
  }

  /** The last patch was undone. */
  undo(): void {
    const before = this.#before.pop();
    if (before === undefined) this.#files.clear();
    for (const [path, ids] of before ?? []) this.#openFile(path, undefined).now = ids;
  }

  /** The lines that an edit replaces now. @param lines the text of the file now. */
  place(path: string, lines: readonly string[], edit: MeantEdit): EditRange {
    const file = this.#openFile(path, lines.length);
    const now = file.now ?? [];
    // a file that this reply made had no numbers before it
    const isNew = file.atReply === undefined;
    const at = file.atReply ?? now;
    const seen = isNew ? new Map([...file.seen, ...file.fresh]) : file.seen;
    const { startLine, endLine } = edit;
    // models that fill in every argument state nothing with an empty text
    const old = edit.old === '' ? undefined : edit.old;
    const given = { startLine, endLine };
    const isInsert = endLine < startLine;
    const last = isInsert ? startLine - 1 : endLine;
    const find = (lookup: Lookup) =>
      isInsert ? findGap(startLine, { lookup, at, now }) : findRange(given, { lookup, now });
    const inFile: Lookup = line => at[line - 1];
    const inResults: Lookup = line => seen.get(line);
    const block = file.blocks.get(old?.trim().replace(/^#/, '') ?? '');
    if (block !== undefined) return find(line => block.get(line)) ?? { ...given, moved: [] };
    if (last > at.length && !seen.has(last)) return at === now ? given : { ...given, moved: [] };
    const here = find(inFile);
    const there = find(inResults);
    const agrees = (line: number) => inFile(line) === inResults(line);
    const isSure = here !== undefined && isPlaced(edit, { at, inResults, agrees });
    if (isSure && (old === undefined || isStated(old, here, lines))) return here;
    const possible = distinct([here, there]);
    if (old === undefined) return { ...(here ?? given), moved: possible };
    const between = unstated(old, edit);
    const isCertain = (r: LineRange) =>
      isStated(old, r, lines) && (r.startLine === there?.startLine || between.every(agrees));
    // the numbers of an earlier result count for an edit that states every line
    const blocks = isWhole(old, edit) ? [...file.blocks.values()] : [];
    const earlier = blocks.map(shown => find(line => shown.get(line)));
    const fitting = distinct([here, there, ...earlier]).filter(isCertain);
    const [range] = fitting;
    return range !== undefined && fitting.length === 1
      ? range
      : { ...(here ?? given), moved: possible };
  }

  /** A file with at least so many lines; undefined for one that does not exist. */
  #openFile(path: string, lines: number | undefined): SeenFile {
    const ids: Ids | undefined = lines === undefined ? undefined : [];
    const file: SeenFile = this.#files.get(path) ?? {
      now: ids,
      atReply: ids,
      seen: new Map(),
      fresh: new Map(),
      blocks: new Map(),
      freshBlocks: new Map(),
    };
    this.#files.set(path, file);
    // before the first patch of a reply, both lists are the same one
    const { now } = file;
    while (now !== undefined && now.length < (lines ?? 0)) now.push(this.#newId());
    return file;
  }

  #replace(old: Ids, replacements: Exclude<MovedFile['replacements'], 'all'>): Ids {
    let next: Ids = [];
    let from = 0;
    const sorted = replacements.toSorted(
      (a, b) => a.startLine - b.startLine || a.endLine - b.endLine,
    );
    for (const { startLine, endLine, inserted } of sorted) {
      next = next.concat(old.slice(from, startLine - 1), this.#newIds(inserted) ?? []);
      from = Math.max(from, startLine - 1, endLine);
    }
    return next.concat(old.slice(from));
  }

  #newIds(count: number | undefined): Ids | undefined {
    return count === undefined ? undefined : Array.from({ length: count }, () => this.#newId());
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
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

/** The lines of a range that a stated text leaves out. */
function unstated(old: string, range: LineRange): readonly number[] {
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
