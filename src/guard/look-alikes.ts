/** Words that read as other words: letters of one writing that stand for those of another (UTS #39). Pure. */

// the part of Unicode's confusables.txt that maps single letters of the writings in use to basic Latin ones

/** Letters that are the same shape in common fonts: nobody mixes them into a Latin word by accident. */
const same: Readonly<Record<string, string>> = {
  ...{ a: 'а', b: 'Ь', c: 'сϲ', d: 'ԁ', e: 'е', g: 'ց', h: 'һհ', i: 'іꙇ', j: 'јϳ', l: 'ӀӏІΙ' },
  ...{ n: 'ոռ', o: 'оοօჿ', p: 'р', q: 'ԛզգ', s: 'ѕ', u: 'ս', v: 'ѵ', w: 'ԝա', x: 'х', y: 'уүყ' },
  ...{ f: 'ք', A: 'АΑ', B: 'ВΒ', C: 'СϹ', E: 'ЕΕ', F: 'Ϝ', G: 'Ԍ', H: 'НΗ', J: 'ЈͿ', K: 'КΚ' },
  ...{ M: 'МΜϺ', N: 'Ν', O: 'ОΟՕ', P: 'РΡ', S: 'ЅՏ', T: 'ТΤ', U: 'Ս', V: 'Ѵ', W: 'Ԝ', X: 'ХΧ' },
  ...{ Y: 'ҮΥϒ', Z: 'Ζ' },
};

/** Letters that are alike only: science mixes them with Latin ones (`hν`, `dρ`), so a twin must be there. */
const alike: Readonly<Record<string, string>> = {
  ...{ a: 'αɑ', e: 'ҽ', g: 'ɡ', i: 'ι', k: 'κк', o: 'σ', p: 'ρ', r: 'гᴦ', t: 'τт', u: 'υ' },
  ...{ v: 'ν', w: 'ω', x: 'χ', y: 'γ', n: 'η', h: 'н', m: 'м' },
};

const fold = (table: Readonly<Record<string, string>>) =>
  Object.entries(table).flatMap(([latin, letters]) => [...letters].map(l => [l, latin] as const));
const sameAs: ReadonlyMap<string, string> = new Map(fold(same));
const foldOf: ReadonlyMap<string, string> = new Map([...fold(alike), ...sameAs]);

const word = /[\p{L}\p{M}\p{N}_$\ua789\ua78a]+/gu;
const latin = /\p{Script=Latin}/u;
const foreign = /[\p{L}--\p{Script=Latin}--\p{Script=Common}]/v;
/** Writings in use (UAX #31, table 5); letters of any other beside Latin ones are there to deceive. */
const inUse =
  /[\p{sc=Latn}\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Arab}\p{sc=Armn}\p{sc=Beng}\p{sc=Bopo}\p{sc=Cyrl}\p{sc=Deva}\p{sc=Ethi}\p{sc=Geor}\p{sc=Grek}\p{sc=Gujr}\p{sc=Guru}\p{sc=Hang}\p{sc=Hani}\p{sc=Hebr}\p{sc=Hira}\p{sc=Kana}\p{sc=Knda}\p{sc=Khmr}\p{sc=Laoo}\p{sc=Mlym}\p{sc=Mymr}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}\p{sc=Thaa}\p{sc=Thai}\p{sc=Tibt}]/v;
/** Letters that look like punctuation: clicks (`ǃ`, `ǀ`) and modifiers (`꞉`). */
const punctuation = /[\u01c0-\u01c3\ua789\ua78a]/u;

/**
 * The first word of a text that looks like another; null when there is none.
 * @param around where the word that it looks like may stand, such as the whole file.
 */
export function findLookAlike(text: string, around = text): string | null {
  // most code has nothing but basic Latin letters
  if (!/[^\u0000-\u00ff]/.test(text)) return null;
  let plain: ReadonlySet<string> | null = null;
  for (const line of text.split('\n')) {
    for (const [found] of line.matchAll(word)) {
      if (/^[\w$]+$/.test(found)) continue;
      if (isMixed(found) || standsForLatin(found, line)) return found;
      plain ??= new Set(around.match(/[A-Za-z_$][\w$]{2,}/g));
      const twin = [...found].map(c => foldOf.get(c) ?? c).join('');
      if (plain.has(twin)) return found;
    }
  }
  return null;
}

/** True for a word with Latin letters beside letters that stand for such, or of a writing out of use. */
function isMixed(found: string): boolean {
  const letters = [...found];
  if (!letters.some(l => latin.test(l))) return false;
  if (letters.some(l => punctuation.test(l) || !inUse.test(l))) return true;
  // a run of foreign letters is seen as such by any letter that Latin does not have
  return runsOf(letters).some(
    ({ run, besideLatin }) => besideLatin && run.every(l => sameAs.has(l)),
  );
}

interface Run {
  readonly run: readonly string[];
  /** True when a Latin letter stands directly before or behind it. */
  readonly besideLatin: boolean;
}

function runsOf(letters: readonly string[]): readonly Run[] {
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
 * True for a word (not a text in quotes) of letters that stand for Latin ones, in a line of code that has
 * no other letter of their writing: `ехес(x)`. A line with words of a language has others.
 */
function standsForLatin(found: string, line: string): boolean {
  const letters = [...found].filter(l => foreign.test(l));
  if (letters.length < 2 || !letters.every(l => sameAs.has(l))) return false;
  if (line.includes(`'${found}'`) || line.includes(`"${found}"`)) return false;
  const others = [...line].filter(l => foreign.test(l));
  return latin.test(line) && others.every(l => sameAs.has(l));
}
