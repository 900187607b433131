import { describe, expect, it } from 'vitest';
import { readOutside } from '../../../src/guard/content/outside-text.ts';
import { findTrojanSource } from '../../../src/guard/content/trojan-source.ts';

describe('hidden text', () => {
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
  ['Chinese identifiers', 'const 变量name = 用户Id;'],
  ['Japanese at full width', '"ＡＰＩ　エラー（１）" + ユーザーName'],
  ['Korean', 'const 사용자Name = "안녕"'],
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
    expect(readOutside('comment', line)).toEqual({ text: line.normalize('NFC'), removed: 0 });
    expect(readOutside('tool result', line)).toEqual({ text: line, removed: 0 });
  });

  it('soft hyphens are part of German prose, and hidden in code', () => {
    const word = 'Donau\u00addampf\u00adschiff';
    expect(findTrojanSource(word, { prose: true })).toEqual([]);
    expect(findTrojanSource(word)).toEqual(['invisible characters: U+00AD']);
    expect(findTrojanSource('"AD\u00adMIN"', { prose: true })).toHaveLength(1);
  });
});

describe('a word that reads as another', () => {
  it.each([
    ['one Cyrillic letter', 'const pаypal = 1'],
    ['in a string', '"sсope"'],
    ['a Greek capital', 'ΑdminRole'],
    ['an Armenian letter', 'tօken'],
    ['a Cherokee letter', 'Ꭺdmin'],
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
