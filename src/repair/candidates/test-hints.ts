/** What failing tests show about texts: the values that they compared, and the literals of their files. Pure. */
import { commonEnds } from '../../base/plural.ts';
import type { CaseResult, ComparedValues } from '../runners/test-runner.ts';

export interface TestHints {
  /** Values that failed assertions compared. */
  readonly compared: readonly ComparedValues[];
  /** Texts of literals, and names, in the files of failing tests. */
  readonly texts: readonly string[];
  /** Literals, and words in them, near the lines where the tests fail: those first that the files hold least often. */
  readonly near?: readonly string[];
  /** Names that the failures say do not exist. */
  readonly missing?: ReadonlySet<string>;
}

/** No hints. */
export const noHints: TestHints = { compared: [], texts: [] };

const maxCompared = 20;
const maxTexts = 1500;
const maxChars = 200_000;

/** The hints of failing cases and of the texts of their files, by path. */
export function collectHints(
  failed: readonly CaseResult[],
  files: ReadonlyMap<string, string | undefined>,
): TestHints {
  const compared = new Map<string, ComparedValues>();
  for (const one of failed) {
    const found = one.compared ?? comparedIn(one.message ?? '');
    if (found !== undefined) compared.set(`${found.actual}\0${found.expected}`, found);
  }
  const text = [...files.values()].join('\n').slice(0, maxChars);
  const literals = text.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.){1,40})\1/g);
  const texts = new Set([...literals].map(m => m[2] ?? ''));
  // a name in a test may be a text in the program
  for (const [word] of text.matchAll(/[\w$-]{3,40}/g)) texts.add(word);
  return {
    compared: [...compared.values()].slice(0, maxCompared),
    texts: [...texts].slice(0, maxTexts),
    near: literalsNear(failed, files),
    missing: new Set(failed.flatMap(c => missingNames(c.message ?? ''))),
  };
}

const maxNear = 12;
/** Most texts near a line that are looked at, and most characters of those lines: a fixture may be one long line. */
const maxLookedAt = 200;
const maxNearChars = 4_000;
/** Lines of a test file in front of the one that failed, and behind it. */
const linesAbove = 12;
const linesBelow = 2;

function literalsNear(
  failed: readonly CaseResult[],
  files: ReadonlyMap<string, string | undefined>,
): readonly string[] {
  const found = new Set<string>();
  for (const { file, frames = [] } of failed) {
    const line = frames.find(f => f.path === file)?.line;
    if (line === undefined) continue;
    const lines = files.get(file)?.split('\n') ?? [];
    const around = lines.slice(Math.max(0, line - linesAbove), line + linesBelow);
    const text = around.join('\n').slice(-maxNearChars);
    for (const [, , literal = ''] of text.matchAll(/(['"`])((?:(?!\1)[^\\\n]){1,80})\1/g)) {
      if (literal.length <= 20) found.add(literal);
      for (const [word] of literal.matchAll(/[\w$-]{2,20}/g)) found.add(word);
    }
  }
  const all = [...files.values()].join('\n').slice(0, maxChars);
  return [...found]
    .slice(0, maxLookedAt)
    .map(text => ({ text, count: all.split(text).length }))
    .sort((a, b) => a.count - b.count)
    .slice(0, maxNear)
    .map(({ text }) => text);
}

/** The names that an interpreter did not find: `has no attribute 'x'`, `name 'x' is not defined`, `a.x is not a function`. */
function missingNames(message: string): readonly string[] {
  const found = message.matchAll(
    /has no attribute '(\w+)'|name '(\w+)' is not defined|([\w$]+) is not (?:a function|a constructor|defined)/g,
  );
  return [...found].map(([, attribute, name, other]) => attribute ?? name ?? other ?? '');
}

/** The two texts in a message of pytest, unittest or chai. */
function comparedIn(message: string): ComparedValues | undefined {
  const [line = ''] = message.split('\n');
  const text = `'((?:[^'\\\\]|\\\\.)*)'|"((?:[^"\\\\]|\\\\.)*)"`;
  const found = new RegExp(
    `(?:${text}) (?:==|!=|to (?:deeply )?equal|to be) (?:${text})(?:$|[\\s:])`,
  ).exec(line);
  if (found === null) return undefined;
  const [, a1, a2, b1, b2] = found;
  return { actual: a1 ?? a2 ?? '', expected: b1 ?? b2 ?? '' };
}

/** A part of one text that another text has in its place. */
interface TextDifference {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const maxAligned = 400;

/** The differences of two texts by their longest common subsequence; one difference for long texts. */
export function findDifferences({ actual, expected }: ComparedValues): readonly TextDifference[] {
  const { head: top, tail: bottom } = commonEnds(actual, expected);
  const one = actual.slice(top, actual.length - bottom);
  const other = expected.slice(top, expected.length - bottom);
  if (one === '' || other === '' || one.length > maxAligned || other.length > maxAligned)
    return one === other ? [] : [{ start: top, end: top + one.length, text: other }];
  return aligned(one, other).map(d => ({ ...d, start: d.start + top, end: d.end + top }));
}

function aligned(one: string, other: string): readonly TextDifference[] {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--) {
      const row = rows[i];
      if (row === undefined) continue;
      row[j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const found: { start: number; end: number; text: string }[] = [];
  let open: { start: number; end: number; text: string } | undefined;
  for (let i = 0, j = 0; i < one.length || j < other.length; ) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      open = undefined;
      i += 1;
      j += 1;
      continue;
    }
    if (open === undefined) {
      open = { start: i, end: i, text: '' };
      found.push(open);
    }
    if (j < other.length && (i >= one.length || at(i, j + 1) > at(i + 1, j))) {
      open.text += other[j];
      j += 1;
    } else {
      open.end += 1;
      i += 1;
    }
  }
  return found;
}

/** Texts that a literal would hold if the expected value were made as the actual one was. */
export function textsFor(own: string, { compared }: TestHints): readonly string[] {
  const found = new Set<string>();
  for (const values of compared) {
    if (values.actual === own) found.add(values.expected);
    const differences = findDifferences(values);
    if (own === '') {
      // what the value lacks at a place may be what an empty text has to be
      for (const { start, end, text } of differences) if (start === end) found.add(text);
      continue;
    }
    for (let at = values.actual.indexOf(own); at >= 0; at = values.actual.indexOf(own, at + 1)) {
      const inside = differences.filter(d => d.start >= at && d.end <= at + own.length);
      if (inside.length === 0) continue;
      let text = own;
      for (const { start, end, text: other } of inside.toReversed())
        text = text.slice(0, start - at) + other + text.slice(end - at);
      found.add(text);
      for (const { start, end, text: other } of inside)
        found.add(own.slice(0, start - at) + other + own.slice(end - at));
      if (found.size > maxTextsFor) return [...found].slice(0, maxTextsFor);
    }
  }
  found.delete(own);
  return [...found];
}

const maxTextsFor = 12;

/** How much two texts have in common, in [0, 1]: twice the common subsequence over both lengths. */
export function likeness(one: string, other: string): number {
  const both = one.length + other.length;
  if (both === 0 || both > maxAligned) return one === other ? 1 : 0;
  const changed = findDifferences({ actual: one, expected: other }).reduce(
    (sum, d) => sum + (d.end - d.start) + d.text.length,
    0,
  );
  return 1 - changed / both;
}
