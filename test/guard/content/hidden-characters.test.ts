/** Characters that nobody sees are found, removed and named. */
import { describe, expect, it } from 'vitest';
import {
  hiddenCharactersIn,
  showHiddenCharacters,
  withoutHiddenCharacters,
} from '../../../src/guard/content/hidden-characters.ts';
import { readOutside } from '../../../src/guard/content/outside-text.ts';
import { findTrojanSource } from '../../../src/guard/content/trojan-source.ts';

/** One of each kind that Unicode says is not seen. */
const unseen = [
  '\u00ad',
  '\u115f',
  '\u180b',
  '\u200b',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u2800',
  '\ufe0f',
  '\ufeff',
  '\ufff9',
  '\u{e0041}',
  '\u{e0100}',
  '\u001b',
];

describe('a character that nobody sees', () => {
  const name = (c: string) => `U+${c.codePointAt(0)?.toString(16)}`;
  it.each(unseen.map(c => [name(c), c] as const))('%s in a word is found and removed', (_n, c) => {
    for (const text of [`ad${c}min`, `${c}${c}x`, `x = "${c}"`]) {
      const count = [...text].filter(each => each === c).length;
      expect(hiddenCharactersIn(text)).toHaveLength(count);
      expect(findTrojanSource(text)).not.toEqual([]);
      expect(withoutHiddenCharacters(text).removed).toBe(count);
      expect(readOutside('comment', text).text).toBe(text.replaceAll(c, ''));
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
