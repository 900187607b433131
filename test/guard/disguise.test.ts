/** Characters that nobody sees and words that read as others: found in each form, and no language taken for one. */
import { describe, expect, it } from 'vitest';
import {
  hiddenCharactersIn,
  showHiddenCharacters,
  withoutHiddenCharacters,
} from '../../src/guard/hidden-characters.ts';
import { findTrojanSource, removeHiddenText } from '../../src/guard/hidden-text.ts';

/** What every language and every emoji needs, and code of science. */
const everyday: readonly (readonly [string, string])[] = [
  ['Persian with joiners', 'const متن = "می‌خواهم کتاب‌ها"; // نمی‌دانم'],
  ['the Hijri year', '"۱۴۰۲ ه\u200d.ش"'],
  ['Hindi with a joiner', '"क्\u200dष और र्\u200dय, क्\u200cष"'],
  ['Bengali with a joiner', '"র\u200d্যাব"'],
  ['Malayalam chillu with a joiner', '"അവന്\u200d"'],
  ['Sinhala with a joiner', '"ශ්\u200dරී"'],
  ['Mongolian selectors', '"ᠮᠣᠩᠭᠣᠯ᠎ᠠ"'],
  ['Khmer breaks', '"ក\u200bខ"'],
  ['Hebrew', '// שלום עולם: x < y'],
  ['Hebrew with marks beside it', '"\u200fשלום!\u200f (v2)"'],
  ['Arabic', 'msg = "مرحبا بالعالم"'],
  ['a family', '"👨\u200d👩\u200d👧\u200d👦"'],
  ['a profession with its skin', '"🧑🏽\u200d💻"'],
  ['flags', '"🇩🇪 🏳️\u200d🌈 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"'],
  ['symbols with selectors', '"❤\ufe0f ⚠\ufe0f ©\ufe0f ↩\ufe0e 1\ufe0f\u20e3"'],
  ['a name with a variant', '"葛\u{e0100}城"'],
  ['Δt', 'const Δt = t1 - t0; const Δx2 = 1;'],
  ['physics', 'E = hν; dρdt = -ρ * v; σx = kα + μ_max; λmax = 1'],
  ['Cyrillic comments', 'const USB = 1; // USB-кабель, id_пользователя, рост от 5 до 7'],
  ['Cyrillic words with Latin ones', 'получитьUser(SQLзапрос)'],
  ['short Russian words', 'let a = c; // а с о'],
  ['Chinese identifiers', 'const 变量name = 用户Id;'],
  ['Japanese at full width', '"ＡＰＩ　エラー（１）" + ユーザーName'],
  ['Korean', 'const 사용자Name = "안녕"'],
  ['Turkish', 'const sinif = "sınıf"; İstanbul'],
  ['accents apart', 'cafe\u0301'],
  ['a page of C', '\f\n/* Section */'],
  ['Windows', '\ufeffint x;\r\nint y;\r'],
];

describe('what people write', () => {
  it.each(everyday)('is not taken for a disguise: %s', (_name, text) => {
    expect(findTrojanSource(text)).toEqual([]);
  });

  it.each(everyday)('is shown to the model as it is: %s', (_name, text) => {
    const line = text.replace(/[\f\r\ufeff]/g, '');
    expect(removeHiddenText(line)).toEqual({ text: line.normalize('NFC'), removed: 0 });
    expect(showHiddenCharacters(line)).toEqual({ text: line, shown: 0 });
  });

  it('soft hyphens are part of German prose, and hidden in code', () => {
    const word = 'Donau\u00addampf\u00adschiff';
    expect(findTrojanSource(word, { prose: true })).toEqual([]);
    expect(findTrojanSource(word)).toEqual(['invisible characters: U+00AD']);
    expect(findTrojanSource('"AD\u00adMIN"', { prose: true })).toHaveLength(1);
  });
});

/** One of each kind that Unicode says is not seen. */
const unseen = [
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180b',
  '\u180e',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2060',
  '\u2061',
  '\u2064',
  '\u2065',
  '\u2066',
  '\u2068',
  '\u206a',
  '\u2800',
  '\u3164',
  '\ufe00',
  '\ufe0e',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufff0',
  '\ufff9',
  '\u{1bca0}',
  '\u{1d173}',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e0100}',
  '\u{e01ef}',
  '\u{e0fff}',
  '\u0007',
  '\u001b',
  '\u0085',
];

describe('a character that nobody sees', () => {
  const name = (c: string) => `U+${c.codePointAt(0)?.toString(16)}`;
  it.each(unseen.map(c => [name(c), c] as const))('%s in a word is found and removed', (_n, c) => {
    for (const text of [`ad${c}min`, `${c}${c}x`, `x = "${c}"`]) {
      const count = [...text].filter(each => each === c).length;
      expect(hiddenCharactersIn(text)).toHaveLength(count);
      expect(findTrojanSource(text)).not.toEqual([]);
      expect(withoutHiddenCharacters(text).removed).toBe(count);
      expect(removeHiddenText(text).text).toBe(text.replaceAll(c, ''));
    }
  });

  it.each([
    ['bits behind an emoji', `😀${'\ufe0f\ufe0e'.repeat(20)}`, 39],
    ['bytes behind an ideograph', `城\u{e0100}\u{e01a3}\u{e0177}`, 2],
    ['tags behind a flag that is none', `🏴\u{e0061}\u{e0062}\u{e007f}`, 3],
    ['joiners in a row in Persian', 'می\u200c\u200c\u200dخواهم', 3],
    ['marks in a row beside Hebrew', `שלום${'\u200f\u200e'.repeat(3)}!`, 5],
    ['a mark within a Hebrew word', 'שלו\u200fם', 1],
    ['a joiner behind an emoji that nothing follows', '👩\u200d x', 1],
    ['lines that end for JavaScript alone', 'x // \u2028y', 1],
  ])('is found where writing does not need it: %s', (_name, text, count) => {
    expect(hiddenCharactersIn(text)).toHaveLength(count);
    expect(findTrojanSource(text)).not.toEqual([]);
  });

  it('is every character that Unicode ignores by default, and every control but line ends and tabs', () => {
    const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u;
    const missed = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter(code => code < 0xd800 || code > 0xdfff)
      .map(code => String.fromCodePoint(code))
      .filter(c => hidden.test(c) && !'\t\n\r\f'.includes(c))
      .filter(c => hiddenCharactersIn(`x${c}y`).length === 0);
    expect(missed).toEqual([]);
  });

  it('is shown to the model by its name, and a run of them by its length', () => {
    expect(showHiddenCharacters('ad\u200bmin')).toEqual({ text: 'ad‹U+200B›min', shown: 1 });
    const tags = [...'run it'].map(c => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');
    expect(showHiddenCharacters(`x${tags}y`)).toEqual({
      text: 'x‹6 hidden characters›y',
      shown: 6,
    });
  });
});

describe('a word that reads as another', () => {
  it.each([
    ['one Cyrillic letter', 'const pаypal = 1'],
    ['the first letter', 'аdmin()'],
    ['the last letter', 'isAdmіn'],
    ['in a string', '"sсope"'],
    ['a Greek capital', 'ΑdminRole'],
    ['a Greek omicron', 'passwοrd'],
    ['an Armenian letter', 'tօken'],
    ['a Cherokee letter', 'Ꭺdmin'],
    ['a letter of Lisu', 'ꓮdmin'],
    ['a Coptic letter', 'Ⲥonfig'],
    ['behind a word of the other language', 'получитьScоpe'],
    ['a click for an exclamation mark', 'if (environmentǃ=ENV)'],
    ['a modifier for a colon', 'node꞉fs'],
    ['a whole word of Cyrillic', 'ехес(command)'],
    ['a whole word beside its twin', '// сору от scope\nconst ѕсоре = "ѕсоре"; const scope = 1'],
    ['a Greek letter beside its twin', 'const value = 1; return νalue'],
    ['a Latin letter of phonetics beside its twin', 'const value = 1; return vɑlue'],
  ])('is found: %s', (_name, text) => {
    expect(findTrojanSource(text).join()).toContain('look-alike letters');
  });

  it('is found by a twin that stands elsewhere in the file', () => {
    expect(findTrojanSource('return νalue')).toEqual([]);
    expect(findTrojanSource('return νalue', { around: 'const value = 1;' })).toHaveLength(1);
  });
});
