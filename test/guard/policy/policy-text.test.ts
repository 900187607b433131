/** Text of constitutions and skills that nobody can see, or that is no UTF-8; and their front matter. */
import { describe, expect, it } from 'vitest';
import { decodePolicyText, parseFrontMatter } from '../../../src/guard/policy/policy-text.ts';

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
    ['UTF-16 without a mark', Buffer.from('a', 'utf16le'), 'c.md:1:2: contains a NUL character'],
    ['Latin-1', Buffer.from('a\nb\xe9', 'latin1'), 'c.md:2:2: is not UTF-8'],
  ])('may not have %s', (_name, bytes, says) => {
    expect(() => decodePolicyText(bytes, 'c.md')).toThrow(says);
  });

  it.each(['größe\r\n\tx\f', '\ufeffa', '👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم'])('may be %j', text => {
    expect(decodePolicyText(utf8(text), 'c.md')).toBe(text);
  });
});

const fenced = (yaml: string, body = 'Body.') => `---\n${yaml}\n---\n${body}\n`;

/** A list of so many items at the top; it and the mapping around it are values, too. */
const items = (count: number) => fenced(`list: [${Array(count).fill('1').join(', ')}]`);

/** Mappings inside one another; the innermost value lies at this level. */
const nested = (levels: number) =>
  fenced(`${'{ a: '.repeat(levels)}1${' }'.repeat(levels)}`.replace(/^\{ a: (.*) \}$/, 'a: $1'));

describe('front matter', () => {
  it('is YAML, in front of a body', () => {
    expect(parseFrontMatter(fenced('name: a\nn: 3', '\nText.\n'))).toEqual({
      data: { name: 'a', n: 3 },
      body: 'Text.',
    });
    expect(parseFrontMatter('Only text.')).toEqual({ data: {}, body: 'Only text.' });
  });

  it.each(['javascript', 'js', 'json', 'coffee'])('in %s is refused', language => {
    expect(() => parseFrontMatter(`---${language}\n{}\n---\n`)).toThrow(
      `front matter in ${language} is not allowed; use YAML`,
    );
  });

  it.each([
    ['after a blank line', '\n---\na: 1\n---\n', 2],
    ['after spaces', '  ---\na: 1\n---\n', 1],
    ['after a byte order mark', '\ufeff---\na: 1\n---\n', 1],
    ['after comments', '<!-- a -->\n<!-- b\nc -->\n\n---\na: 1\n---\n', 5],
    ['with four dashes', '----\na: 1\n----\n', 1],
    ['with more dashes in the closing line', '---\na: 1\n---x---\nText\n', 3],
    ['with plus signs', '+++\na = 1\n+++\n', 1],
    ['without an end', '---\na: 1\n\n# Title\n', 1],
    ['without an end that YAML has', '---\na: 1\n...\nText\n', 1],
    ['in lines that end in CR', '---\ra: 1\r---\rText\r', 1],
    ['with text in the closing line', '---\na: 1\n--- b: 2\nText\n', 3],
    ['that is not YAML', '---\na: 1\nb: [\n---\n', 4],
  ])('%s is refused with its line', (_name, text, line) => {
    expect(() => parseFrontMatter(text)).toThrow(expect.objectContaining({ line }));
  });

  it.each([
    ['----x\na: 1\n---\n', 'begins with a line --- at the very beginning'],
    ['+++\na = 1\n+++\n', 'begins with a line --- at the very beginning'],
    ['---\na: 1\n', 'front matter is not closed; add a line --- after it'],
    ['---\na: 1\n--- b: 2\n', 'holds more than ---; put the rest on the next line'],
    [`---\na: ${'['.repeat(20_000)}\n---\n`, 'has too many levels'],
  ])('%# says what to change', (text, message) => {
    expect(() => parseFrontMatter(text)).toThrow(message);
  });

  it.each(['---yaml', '--- yaml  ', '---yml', '--- ', '---\t'])('may open with %j', line => {
    expect(parseFrontMatter(`${line}\na: 1\n---  \nText`)).toEqual({
      data: { a: 1 },
      body: 'Text',
    });
  });

  it.each([
    'a --- b\ntext',
    '+ a\n+ b',
    '',
    '\n\n# Title\n\n---\n\nText',
    'Title\n---\n',
    '- a\n- b\n',
    '<!-- --- -->\ntext',
  ])('is not in %j', text => {
    expect(parseFrontMatter(text)).toEqual({ data: {}, body: text.trim() });
  });

  it('may come to 5000 values, aliases followed, and no more', () => {
    expect(() => parseFrontMatter(items(4998))).not.toThrow();
    expect(() => parseFrontMatter(items(4999))).toThrow('has more than 5000 values');
    const aliases = ['a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'];
    for (const [to, of] of [...'bcde'].map((name, i) => [name, 'abcd'[i]]))
      aliases.push(`${to}: &${to} [${Array(10).fill(`*${of}`).join(', ')}]`);
    expect(() => parseFrontMatter(fenced(aliases.join('\n')))).toThrow('more than 5000 values');
  });

  it('may have 20 levels, and no more', () => {
    expect(() => parseFrontMatter(nested(20))).not.toThrow();
    expect(() => parseFrontMatter(nested(21))).toThrow('has more than 20 levels');
  });

  it('may have 32,000 characters, and no more: a quoted text takes the square of its lines', () => {
    expect(() => parseFrontMatter(fenced(`a: "${'\n'.repeat(300_000)}"`))).toThrow(
      'front matter has more than 32000 characters',
    );
    expect(() => parseFrontMatter(fenced(`# ${'x'.repeat(30_000)}\na: 1`))).not.toThrow();
  });

  it('with mappings that merge one another is refused', () => {
    const merged = Array.from(
      { length: 25 },
      (_, n) => `m${n + 1}: &m${n + 1} {<<: [${Array(9).fill(`*m${n}`).join(', ')}]}`,
    );
    expect(() => parseFrontMatter(fenced(['m0: &m0 {a: 1}', ...merged].join('\n')))).not.toThrow();
    const wide = `b: &b {${Array.from({ length: 2000 }, (_, n) => `k${n}: 1`).join(', ')}}`;
    const uses = Array.from({ length: 500 }, (_, n) => `c${n}: {<<: *b}`);
    expect(() => parseFrontMatter(fenced([wide, ...uses].join('\n')))).toThrow('merge keys');
  });

  it('null and text have nothing in them', () => {
    expect(parseFrontMatter(fenced('a: null\nb: text')).data).toEqual({ a: null, b: 'text' });
  });
});
