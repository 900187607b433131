/** Text of constitutions and skills that nobody can see, or that is no UTF-8. */
import { describe, expect, it } from 'vitest';
import { decodePolicyText } from '../../../src/guard/policy/policy-text.ts';

const utf8 = (text: string) => Buffer.from(text);

describe('the text of a policy file', () => {
  it.each([
    ['NUL', utf8('a\n\u{1f600}b\0'), 'c.md:2:3: contains a NUL character'],
    [
      'a control of direction',
      utf8('abc\u202ed'),
      'c.md:1:4: contains the hidden character U+202E',
    ],
    ['an isolate', utf8('\n\n\u2066x'), 'c.md:3:1: contains the hidden character U+2066'],
    ['a tag character', utf8('a\u{e0041}'), 'c.md:1:2: contains the hidden character U+E0041'],
    ['UTF-16', Buffer.from('\ufeffa', 'utf16le'), 'c.md:1:1: is UTF-16'],
    ['UTF-16, the other way', Buffer.from('\ufeffa', 'utf16le').swap16(), 'c.md:1:1: is UTF-16'],
    ['UTF-16 without a mark', Buffer.from('a', 'utf16le'), 'c.md:1:2: contains a NUL character'],
    ['Latin-1', Buffer.from('a\nb\xe9', 'latin1'), 'c.md:2:2: is not UTF-8'],
  ])('may not have %s', (_name, bytes, says) => {
    expect(() => decodePolicyText(bytes, 'c.md')).toThrow(says);
  });

  it.each(['größe\r\n\tx\f', '\ufeffa', '👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم'])('may be %j', text => {
    expect(decodePolicyText(utf8(text), 'c.md')).toBe(text);
  });
});
