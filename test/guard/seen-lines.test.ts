/** What the numbers of an edit mean after patches and undo, and that no edit lands elsewhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashLines, type KnownLines, locateLines, SeenLines } from '../../src/guard/seen-lines.ts';
import { isAll } from '../seed.ts';

const path = 'a.js';
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

/** A file of a run, what the model saw of it, and what its numbers mean. */
class Seat {
  readonly seen = new SeenLines();
  /** The text under each number as the model saw it last. */
  readonly view = new Map<number, string>();
  #fresh = new Map<number, string>();
  readonly #undone: string[][] = [];
  lines: string[];
  atReply: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = [...lines];
    this.atReply = this.lines;
  }

  reply(): void {
    for (const [line, text] of this.#fresh) this.view.set(line, text);
    this.#fresh = new Map();
    this.atReply = this.lines;
    this.seen.beginReply();
  }

  read(start: number, end: number): string {
    const shown = this.#rows(start, end);
    this.#see(shown);
    this.seen.show(path, shown);
    return hashLines(shown);
  }

  /** Replaces lines by their numbers now; the result shows them with so many lines around. */
  patch(start: number, end: number, { made, context = 0 }: { made: string[]; context?: number }) {
    const before = this.lines;
    this.#undone.push(before);
    this.lines = this.lines.toSpliced(start - 1, Math.max(0, end - start + 1), ...made);
    const shown = this.#rows(start - context, start + made.length - 1 + context);
    this.#see(shown);
    const replacements = [{ startLine: start, endLine: end, inserted: made.length }];
    const moved = { replacements, shown, before, after: this.lines };
    this.seen.patch(new Map([[path, moved]]));
  }

  /** The result shows the lines that are there again. */
  undo(): void {
    const before = this.#undone.pop();
    if (before === undefined) return;
    const gone = new Set(this.lines);
    const back = before.flatMap((text, i) => (gone.has(text) ? [] : [[i + 1, text] as const]));
    this.lines = before;
    this.seen.undo();
    this.seen.show(path, new Map(back));
    this.#see(new Map(back));
  }

  place(startLine: number, endLine = startLine, old?: string) {
    return this.seen.place(path, this.lines, { startLine, endLine, old });
  }

  #rows(start: number, end: number): KnownLines {
    const rows = new Map<number, string>();
    for (let line = Math.max(1, start); line <= Math.min(end, this.lines.length); line++)
      rows.set(line, this.lines[line - 1] ?? '');
    return rows;
  }

  #see(shown: KnownLines): void {
    for (const [line, text] of shown) this.#fresh.set(line, text);
  }
}

const seated = () => {
  const seat = new Seat(numbered(20));
  const hash = seat.read(1, 20);
  seat.reply();
  return { seat, hash };
};
/** Three lines before line 5, in a reply of their own. */
const grown = () => {
  const { seat, hash } = seated();
  seat.patch(5, 4, { made: ['x', 'y', 'z'], context: 3 });
  seat.reply();
  return { seat, hash };
};
const at = (startLine: number, endLine = startLine) => ({ startLine, endLine });

describe('the numbers of an edit', () => {
  it('mean the lines that were shown under them', () => {
    const { seat } = seated();
    expect(seat.place(7, 9)).toEqual(at(7, 9));
    expect(seat.place(7, 6)).toEqual(at(7, 6));
    expect(seat.place(21, 20)).toEqual(at(21, 20));
    expect(seat.place(1, 0)).toEqual(at(1, 0));
  });

  it('are not certain once the lines have moved, and what may be meant is told', () => {
    const { seat } = grown();
    expect(seat.place(15, 16)).toEqual({ ...at(15, 16), moved: [at(15, 16), at(18, 19)] });
    expect(seat.place(15, 14)).toEqual({ ...at(15, 14), moved: [at(15, 14), at(18, 17)] });
    expect(seat.place(20)).toEqual({ ...at(20), moved: [at(20), at(23)] });
    // shown by the result of the patch, or before the place of it
    expect(seat.place(9)).toEqual(at(9));
    expect(seat.place(2, 10)).toEqual(at(2, 10));
    seat.read(15, 16);
    seat.reply();
    expect(seat.place(15, 16)).toEqual(at(15, 16));
    expect(seat.place(14, 16).moved).toBeDefined();
  });

  it('are certain again where the edit says what it replaces', () => {
    const { seat, hash } = grown();
    // as it was shown, and as it is
    expect(seat.place(15, 15, 'line 15')).toEqual(at(18));
    expect(seat.place(18, 18, '  line 15 ')).toEqual(at(18));
    expect(seat.place(15, 17, 'line 15\nline 17')).toEqual(at(18, 20));
    expect(seat.place(15, 17, 'line 15\nline 16\nline 17\n')).toEqual(at(18, 20));
    expect(seat.place(15, 14, 'line 15')).toEqual(at(18, 17));
    expect(seat.place(15, 14, 'line 14')).toEqual(at(18, 17));
    expect(seat.place(15, 14, 'line 14\nline 15')).toEqual(at(18, 17));
    for (const named of [hash, `#${hash}`]) {
      expect(seat.place(15, 17, named)).toEqual(at(18, 20));
      expect(seat.place(15, 14, named)).toEqual(at(18, 17));
      // three lines lie between them now
      expect(seat.place(4, 5, named)).toEqual({ ...at(4, 5), moved: [] });
    }
  });

  it('do not count where the edit says all that it replaces, and that is there once', () => {
    const { seat } = grown();
    expect(seat.place(16, 16, '\tline 15')).toEqual(at(18));
    expect(seat.place(99, 100, 'line 15\nline 16\n')).toEqual(at(18, 19));
    // one line of a longer range, a line too many, a line beside an insertion, and no line
    expect(seat.place(16, 17, 'line 15').moved).toBeDefined();
    expect(seat.place(16, 16, 'line 15\nline 16').moved).toBeDefined();
    expect(seat.place(16, 15, 'line 17').moved).toBeDefined();
    const twice = new Seat(['a', '', 'b', 'a']);
    twice.read(1, 4);
    twice.reply();
    for (const old of ['a', '\n']) expect(twice.place(3, 3, old).moved).toEqual([at(3)]);
    expect(twice.place(2, 3, 'b\na')).toEqual(at(3, 4));
  });

  it('are not certain where what it says fits neither, or only in part', () => {
    const { seat } = grown();
    for (const old of ['line 1', 'line 15\nline 16', 'line 15\nline 15\nline 17', '', 'line'])
      expect(seat.place(15, 17, old).moved).toEqual([at(15, 17), at(18, 20)]);
    // the ends fit, but not what was shown between them
    expect(seat.place(8, 15, 'line 5\nline 12').moved).toEqual([at(8, 15)]);
    expect(seat.place(8, 15, 'line 5').moved).toBeDefined();
    expect(seat.place(15, 17, 'line 15')).toEqual(at(18, 20));
    expect(seat.place(2, 3, 'line 2')).toEqual(at(2, 3));
  });

  it('are not certain where what it says fits both', () => {
    const seat = new Seat(['{', 'a', '}', '', '{', 'b', '}', '']);
    const hash = seat.read(1, 8);
    seat.reply();
    seat.patch(1, 0, { made: ['{', 'x', '}', ''] });
    seat.reply();
    expect(seat.place(7, 7, '}')).toEqual({ ...at(7), moved: [at(7), at(11)] });
    expect(seat.place(8, 8, '').moved).toEqual([at(8), at(12)]);
    expect(seat.place(7, 7, hash)).toEqual(at(11));
    expect(seat.place(6, 6, 'b')).toEqual(at(10));
  });

  it('mean in every call of a reply the file before that reply', () => {
    const { seat } = seated();
    seat.patch(5, 4, { made: ['x', 'y', 'z'], context: 3 });
    expect(seat.place(15, 16)).toEqual(at(18, 19));
    expect(seat.place(5, 4)).toEqual(at(8, 7));
    expect(seat.place(5)).toEqual(at(8));
    expect(seat.place(21, 20)).toEqual(at(24, 23));
    // between them lies now what this reply inserted
    expect(seat.place(4, 5)).toEqual({ ...at(4, 5), moved: [] });
    seat.patch(18, 19, { made: ['new'] });
    expect(seat.place(15, 16)).toEqual({ ...at(15, 16), moved: [] });
    expect(seat.place(15, 14)).toEqual(at(18, 17));
    expect(seat.place(17, 16)).toEqual(at(19, 18));
    expect(seat.place(17)).toEqual(at(19));
    expect(seat.place(22)).toEqual({ ...at(22), moved: [] });
  });

  it('mean nothing that only this reply shows', () => {
    const seat = new Seat(numbered(20));
    seat.read(1, 20);
    expect(seat.place(7).moved).toEqual([at(7)]);
    expect(seat.place(7, 7, 'line 7')).toEqual(at(7));
    seat.reply();
    expect(seat.place(7)).toEqual(at(7));
  });

  it('past the end are left to whoever applies the edit, unless the file has changed', () => {
    const { seat } = seated();
    // in place of the line after the last one, it can only append
    expect(seat.place(21)).toEqual(at(21, 20));
    expect(seat.place(21, 21, 'line 2\nline 3')).toEqual(at(21));
    expect(seat.place(22)).toEqual(at(22));
    expect(seat.place(40, 39)).toEqual(at(40, 39));
    expect(seat.place(1, 2 ** 52)).toEqual(at(1, 2 ** 52));
    seat.patch(1, 0, { made: ['x', 'y'] });
    expect(seat.place(21)).toEqual(at(23, 22));
    expect(seat.place(22)).toEqual({ ...at(22), moved: [] });
    seat.reply();
    seat.patch(1, 10, { made: [] });
    seat.reply();
    // shown before the file became shorter
    expect(seat.place(20).moved).toEqual([at(12)]);
    expect(seat.place(13, 12).moved).toBeDefined();
    expect(seat.place(13, 12, 'line 20')).toEqual(at(13, 12));
  });

  it('follow an undo back', () => {
    const { seat, hash } = grown();
    seat.undo();
    seat.reply();
    expect(seat.place(15, 16)).toEqual(at(15, 16));
    // the result of the patch showed another line under this number
    expect(seat.place(9).moved).toEqual([at(9), at(6)]);
    expect(seat.place(9, 9, 'line 9')).toEqual(at(9));
    expect(seat.place(9, 9, hash)).toEqual(at(9));
  });

  it('mean in a reply with an undo the file before it', () => {
    const { seat } = grown();
    seat.undo();
    expect(seat.place(9)).toEqual(at(6));
    expect(seat.place(6)).toEqual({ ...at(6), moved: [] });
  });

  it('of a file that the reply itself made mean its content', () => {
    const seen = new SeenLines();
    const lines = ['a', 'b'];
    const shown = new Map(lines.map((text, i) => [i + 1, text]));
    const made = { replacements: 'all', shown, before: undefined, after: lines } as const;
    seen.beginReply();
    seen.patch(new Map([[path, made]]));
    expect(seen.place(path, lines, at(2))).toEqual(at(2));
    // one that it replaced has two sets of numbers
    seen.beginReply();
    seen.patch(new Map([[path, { ...made, before: lines }]]));
    expect(seen.place(path, lines, at(2))).toEqual({ ...at(2), moved: [] });
    seen.beginReply();
    expect(seen.place(path, lines, at(2))).toEqual(at(2));
    seen.patch(new Map([[path, { ...made, before: lines, after: undefined, shown: new Map() }]]));
    seen.patch(new Map([[path, made]]));
    seen.undo();
    seen.undo();
    expect(seen.place(path, lines, at(2))).toEqual(at(2));
  });

  it('of an empty file mean its one place', () => {
    const seat = new Seat([]);
    expect(seat.place(1, 0)).toEqual(at(1, 0));
    expect(seat.place(1)).toEqual(at(1, 0));
  });

  it('mean nothing after an undo of what is not known', () => {
    const { seat } = seated();
    seat.seen.undo();
    expect(seat.place(3).moved).toBeDefined();
  });
});

describe('what the model knows of a file', () => {
  const listKnown = ({ seen }: Seat) => [...(seen.listKnown(path)?.keys() ?? ['no file'])];

  it('is what results showed and what it wrote, wherever patches and undo move it', () => {
    const seat = new Seat(numbered(20));
    seat.read(10, 12);
    seat.patch(1, 2, { made: ['x', 'y', 'z'] });
    expect(listKnown(seat)).toEqual([1, 2, 3, 11, 12, 13]);
    seat.patch(12, 12, { made: [] });
    expect(listKnown(seat)).toEqual([1, 2, 3, 11, 12]);
    seat.read(12, 15);
    seat.undo();
    expect(listKnown(seat)).toEqual([1, 2, 3, 11, 12, 13]);
    const whole = {
      replacements: 'all',
      shown: new Map(),
      before: seat.lines,
      after: ['a'],
    } as const;
    seat.seen.patch(new Map([[path, whole]]));
    expect(listKnown(seat)).toEqual([]);
    seat.seen.patch(new Map([[path, { ...whole, after: undefined }]]));
    expect(listKnown(seat)).toEqual(['no file']);
  });

  it('ends when no result shows it any more, though an undo brings the line back', () => {
    const seat = new Seat(numbered(20));
    seat.read(1, 3);
    const [first] = seat.seen.takeShown();
    seat.read(3, 5);
    seat.patch(2, 1, { made: ['x'] });
    const [second, patch] = seat.seen.takeShown();
    if (!first || !second || !patch) throw new Error('nothing was shown');
    expect(locateLines([first, patch])).toEqual(new Map([[path, new Set([1, 2, 3, 4])]]));
    expect(seat.seen.keep([first, second, patch])).toEqual([]);
    seat.patch(4, 4, { made: [] });
    expect(seat.seen.keep([second])).toEqual([{ path, lines: [1, 2, 3] }]);
    seat.seen.undo();
    expect(listKnown(seat)).toEqual([4, 5, 6]);
    expect(seat.seen.keep([])).toEqual([{ path, lines: [4, 5, 6] }]);
  });
});

type Step =
  | { readonly kind: 'reply' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'read'; readonly start: number; readonly count: number }
  | {
      readonly kind: 'edit';
      readonly start: number;
      readonly count: number;
      readonly made: number;
      readonly says: 'nothing' | 'ends' | 'all' | 'hash';
    };

const start = fc.integer({ min: 1, max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reply') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('read'),
      start,
      count: fc.integer({ min: 1, max: 25 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('edit'),
      start,
      count: fc.integer({ min: 0, max: 4 }),
      made: fc.integer({ min: 0, max: 4 }),
      says: fc.constantFrom('nothing', 'nothing', 'ends', 'all', 'hash'),
    }),
  },
);

/** An insert lies between the lines that were on either side of it before the reply, one of which was shown. */
function expectGap({ view, atReply, lines }: Seat, line: number, now: number): void {
  const shown = [line - 1, line].filter(n => view.has(n));
  expect(shown.length > 0 && shown.every(n => view.get(n) === atReply[n - 1])).toBe(true);
  const [above, below] = [new Set(lines.slice(0, now - 1)), new Set(lines.slice(now - 1))];
  expect(atReply.slice(0, line - 1).filter(text => below.has(text))).toEqual([]);
  expect(atReply.slice(line - 1).filter(text => above.has(text))).toEqual([]);
}

/** Every line is another, so that a line is known by its text. @returns how many edits were certain. */
function play(steps: readonly Step[]): number {
  const seat = new Seat(numbered(24));
  let certain = 0;
  let made = 0;
  let block = { hash: '', lines: new Map<number, string>() };
  for (const [i, each] of steps.entries()) {
    for (const [line, text] of seat.seen.listKnown(path) ?? [])
      expect(seat.lines[line - 1]).toBe(text);
    if (each.kind === 'reply') seat.reply();
    else if (each.kind === 'undo') seat.undo();
    else if (each.kind === 'read') {
      const last = Math.min(each.start + each.count - 1, seat.lines.length);
      if (last < each.start) continue;
      const lines = new Map<number, string>();
      for (let n = each.start; n <= last; n++) lines.set(n, seat.lines[n - 1] ?? '');
      block = { hash: seat.read(each.start, last), lines };
    } else {
      const end = each.start + each.count - 1;
      const meant = Array.from({ length: each.count }, (_, n) => seat.view.get(each.start + n));
      const said = {
        nothing: undefined,
        ends: [meant.at(0), meant.at(-1)].slice(0, each.count).join('\n'),
        all: meant.join('\n'),
        hash: block.hash,
      }[each.says];
      const isSaid = said !== undefined && said !== '' && !meant.includes(undefined);
      const old = isSaid ? said : undefined;
      const placed = seat.place(each.start, end, old);
      if (each.start + each.count - 1 > seat.atReply.length) {
        if (placed.moved === undefined) expect(placed.endLine).toBeGreaterThanOrEqual(0);
        if (!seat.view.has(end)) continue;
      }
      if (placed.moved !== undefined) {
        // no refusal where nothing has moved
        const still = meant.every(
          (t, n) => t !== undefined && t === seat.atReply[each.start + n - 1],
        );
        const isThere = `\n${seat.lines.join('\n')}\n`.includes(`\n${meant.join('\n')}\n`);
        if (each.count > 0 && old === undefined) expect(still && isThere).toBe(false);
        continue;
      }
      const found = seat.lines.slice(placed.startLine - 1, Math.max(0, placed.endLine));
      const expected =
        old !== undefined && old === block.hash
          ? Array.from({ length: each.count }, (_, n) => block.lines.get(each.start + n))
          : meant;
      if (each.count > 0) expect(found).toEqual(expected);
      else if (old === undefined) expectGap(seat, each.start, placed.startLine);
      else continue;
      certain += 1;
      const texts = Array.from({ length: each.made }, (_, n) => `made ${i} ${made + n}`);
      made += each.made;
      seat.patch(placed.startLine, placed.endLine, { made: texts, context: 3 });
    }
  }
  return certain;
}

it('no edit ever changes a line other than the one that was last shown under its number', () => {
  let certain = 0;
  const numRuns = isAll ? 1500 : 300;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), steps => {
      certain += play([{ kind: 'read', start: 1, count: 20 }, { kind: 'reply' }, ...steps]);
    }),
    { numRuns },
  );
  // most sequences hold edits that land
  expect(certain).toBeGreaterThan(2 * numRuns);
});
