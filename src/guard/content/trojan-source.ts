/** Finds added lines that may not be what they look like: hidden characters, and words with letters of another script (UTS #39). */
import { formatCodePoint, hiddenCharactersIn } from './hidden-characters.ts';

interface CodeAround {
  /** Text to search for the word that a look-alike imitates, such as the whole file. Default: the text itself. */
  readonly around?: string;
  /** True for prose, where soft hyphens inside words are legitimate. */
  readonly prose?: boolean;
}

/** Why added lines may not be what they look like: hidden characters, or words that imitate others. */
export function findTrojanSource(
  added: string,
  { around, prose = false }: CodeAround = {},
): readonly string[] {
  const text = prose ? added.replace(/(?<=\p{Ll})\u00ad(?=\p{Ll})/gu, '') : added;
  // many files begin with a byte order mark
  const hidden = hiddenCharactersIn(text.replace(/^\ufeff/, '')).map(h => h.character);
  const isDirection = (c: string) => /\p{Bidi_Control}/u.test(c);
  const direction = hidden.filter(isDirection);
  const unseen = hidden.filter(c => !isDirection(c));
  const alike = findLookAlike(text, around);
  return [
    direction.length > 0
      ? `bidirectional control characters: ${formatNames(direction)}`
      : undefined,
    unseen.length > 0 ? `invisible characters: ${formatNames(unseen)}` : undefined,
    alike === undefined ? undefined : `look-alike letters in ${alike.slice(0, 40)}`,
  ].filter(item => item !== undefined);
}

function formatNames(characters: readonly string[]): string {
  const names = [...new Set(characters.map(formatCodePoint))];
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', ');
}

// from Unicode's confusables.txt: single letters of scripts in modern use that resemble basic Latin letters

/** Letters with the same shape in common fonts: they do not get into a Latin word by accident. */
const same: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'Ь',
  c: 'сϲ',
  d: 'ԁ',
  e: 'е',
  f: 'ք',
  g: 'ց',
  h: 'һհ',
  i: 'іꙇ',
  j: 'јϳ',
  l: 'ӀӏІΙ',
  n: 'ոռ',
  o: 'оοօჿ',
  p: 'р',
  q: 'ԛզգ',
  s: 'ѕ',
  u: 'ս',
  v: 'ѵ',
  w: 'ԝա',
  x: 'х',
  y: 'уүყ',
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  F: 'Ϝ',
  G: 'Ԍ',
  H: 'НΗ',
  J: 'ЈͿ',
  K: 'КΚ',
  M: 'МΜϺ',
  N: 'Ν',
  O: 'ОΟՕ',
  P: 'РΡ',
  S: 'ЅՏ',
  T: 'ТΤ',
  U: 'Ս',
  V: 'Ѵ',
  W: 'Ԝ',
  X: 'ХΧ',
  Y: 'ҮΥϒ',
  Z: 'Ζ',
};

/** Letters that are only similar. Science mixes them with Latin ones (`hν`, `dρ`), so they count only when the word that they imitate exists. */
const alike: Readonly<Record<string, string>> = {
  a: 'αɑ',
  e: 'ҽ',
  g: 'ɡ',
  h: 'н',
  i: 'ι',
  k: 'κк',
  m: 'м',
  n: 'η',
  o: 'σ',
  p: 'ρ',
  r: 'гᴦ',
  t: 'τт',
  u: 'υ',
  v: 'ν',
  w: 'ω',
  x: 'χ',
  y: 'γ',
};

const fold = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([latin, letters]) => [...letters].map(l => [l, latin] as const));
const sameAs: ReadonlyMap<string, string> = new Map(fold(same));
const foldTable: ReadonlyMap<string, string> = new Map([...fold(alike), ...sameAs]);

const word = /[\p{L}\p{M}\p{N}_$\ua789\ua78a]+/gu;
const latin = /\p{Script=Latin}/u;
const foreign = /[\p{L}--\p{Script=Latin}--\p{Script=Common}]/v;
const scriptsInUse = [
  'Latn Zyyy Zinh Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang',
  'Hani Hebr Hira Kana Knda Khmr Laoo Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt',
].flatMap(codes => codes.split(' '));
/** Scripts in modern use (UAX #31, table 5); a letter of any other script next to Latin ones is a disguise. */
const inUse = new RegExp(`[${scriptsInUse.map(code => `\\p{sc=${code}}`).join('')}]`, 'v');
/** Letters that look like punctuation: clicks (`ǃ`, `ǀ`) and modifiers (`꞉`). */
const punctuation = /[\u01c0-\u01c3\ua789\ua78a]/u;

/**
 * The first word of a text that imitates another, or undefined.
 * @param around text to search for the imitated word, such as the whole file.
 */
function findLookAlike(text: string, around = text): string | undefined {
  // most code has basic Latin letters only
  if (!/[^\u0000-\u00ff]/.test(text)) return undefined;
  let plain: ReadonlySet<string> | undefined;
  for (const line of text.split('\n')) {
    for (const [found] of line.matchAll(word)) {
      if (/^[\w$]+$/.test(found)) continue;
      if (isMixed(found) || imitatesLatin(found, line)) return found;
      plain ??= new Set(around.match(/[A-Za-z_$][\w$]{2,}/g));
      const twin = [...found].map(c => foldTable.get(c) ?? c).join('');
      if (plain.has(twin)) return found;
    }
  }
  return undefined;
}

/** True for a word that mixes Latin letters with look-alikes, or with letters of a script out of use. */
function isMixed(found: string): boolean {
  const letters = [...found];
  if (!letters.some(l => latin.test(l))) return false;
  if (letters.some(l => punctuation.test(l) || !inUse.test(l))) return true;
  // one letter without a Latin look-alike shows that the run is a foreign word
  return findRuns(letters).some(
    ({ run, besideLatin }) => besideLatin && run.every(l => sameAs.has(l)),
  );
}

interface Run {
  readonly run: readonly string[];
  /** True when a Latin letter is directly before or after it. */
  readonly besideLatin: boolean;
}

function findRuns(letters: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  let from = 0;
  while (from < letters.length) {
    let to = from;
    while (to < letters.length && foreign.test(letters[to] ?? '')) to += 1;
    if (to > from) {
      const besideLatin = [letters[from - 1], letters[to]].some(
        l => l !== undefined && latin.test(l),
      );
      runs.push({ run: letters.slice(from, to), besideLatin });
    }
    from = to + 1;
  }
  return runs;
}

/**
 * True for an unquoted word of look-alike letters in a line of code without any other letter of their
 * script: `ехес(x)`. A line with real foreign words has other letters.
 */
function imitatesLatin(found: string, line: string): boolean {
  const letters = [...found].filter(l => foreign.test(l));
  if (letters.length < 2 || !letters.every(l => sameAs.has(l))) return false;
  if (line.includes(`'${found}'`) || line.includes(`"${found}"`)) return false;
  const others = [...line].filter(l => foreign.test(l));
  return latin.test(line) && others.every(l => sameAs.has(l));
}
