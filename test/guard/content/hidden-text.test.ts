import { describe, expect, it } from 'vitest';
import { showHiddenCharacters } from '../../../src/guard/content/hidden-characters.ts';
import { findTrojanSource, removeHiddenText } from '../../../src/guard/content/hidden-text.ts';

describe('a text that was made to keep its cleaning busy', () => {
  it('of comments whose removal joins the next one is cut where they begin', () => {
    const levels = 50_000;
    const text = `shown ${'<'.repeat(levels)}${'!-- -->'.repeat(levels)} obey`;
    const found = removeHiddenText(text);
    expect(found.text).toMatch(/^shown <+$/);
    expect(found.text).not.toContain('obey');
    expect(found.text.length + found.removed).toBe(text.length);
  });

  it('with few such levels is cleaned to its end', () => {
    expect(removeHiddenText('a <<<!-- x -->!-- y -->!-- z --> b')).toEqual({
      text: 'a  b',
      removed: 30,
    });
  });

  it('of marks on one letter keeps 30 of them, and every letter with fewer', () => {
    // unsorted marks: to put a million of them in order takes minutes
    const { text, removed } = removeHiddenText(`a${'\u0300\u0316'.repeat(500_000)} e\u0301`);
    expect(removed).toBe(1_000_000 - 30);
    expect(text).toMatch(/^\p{L}\p{M}{29} \u00e9$/u);
  });
});

describe('hidden text', () => {
  const samples: [string, string, number][] = [
    ['a <!-- hidden --> b', 'a  b', 15],
    ['a <!-- open to the end', 'a ', 20],
    ['a <!-- bang --!> b', 'a  b', 14],
    ['a <? php ?> b', 'a  b', 9],
    ['a <!DOCTYPE x> b', 'a  b', 12],
    ['[//]: # (a note to the machine)', '', 31],
    ['[x]: # "note"', '', 13],
    ['a\u200bb\u200cc\u200dd\ufeffe', 'abcde', 4],
    ['a\u00adb', 'ab', 1],
    ['a\u202eb\u2066c', 'abc', 2],
    ['a\u{e0041}\u{e0042}b', 'ab', 2],
    ['a\ufe00b\u{e0100}c', 'abc', 2],
    ['a\u3164b\u115fc\u2800d', 'abcd', 3],
    ['a\u2060b\u2062c\u200ed\u200fe\u061cf', 'abcdef', 5],
    ['a\u0000b\u001bc\u0085d', 'abcd', 3],
    ['<\u200b!-- split --> x', ' x', 15],
    ['👩\u200d💻 ❤\ufe0f ok', '👩\u200d💻 ❤\ufe0f ok', 0],
    ['a\r\nb', 'a\nb', 0],
    ['plain <b>bold</b> text & more', 'plain <b>bold</b> text & more', 0],
    ['e\u0301', 'é', 0],
  ];
  it.each(samples)('%j shows %j and counts %d', (raw, shown, count) => {
    expect(removeHiddenText(raw)).toEqual({ text: shown, removed: count });
  });

  it('in added code is named', () => {
    expect(findTrojanSource('if (admin\u202e)')).toEqual([
      'bidirectional control characters: U+202E',
    ]);
    expect(findTrojanSource('const pаypal = 1;')).toEqual(['look-alike letters in pаypal']);
    expect(findTrojanSource('const привет = "мир";')).toEqual([]);
  });
});

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
