/** grep finds lines with the symbol that holds each. */
import { describe, expect, it } from 'vitest';
import { playCalls } from './play.ts';

const files = {
  'a.js': 'function one() {\n  return total;\n}\n',
  'lib/b.js': 'const Total = 1;\n',
  'c.txt': 'a.b\naxb\n',
};
const search = async (args: object) => {
  const { texts } = await playCalls({ files }, [['grep', args]]);
  return texts[0] ?? '';
};

describe('grep', () => {
  it('names path, line and enclosing symbol of a hit', async () => {
    const text = await search({ pattern: 'total' });
    expect(text).toMatch(/a\.js.*\bone\b/s);
    expect(text).toContain('return total;');
    expect(text).not.toContain('b.js');
  });

  it('takes a pattern as text, or as an expression, in any case, below a folder', async () => {
    expect(await search({ pattern: 'a.b' })).not.toContain('axb');
    expect(await search({ pattern: 'a.b', regex: true })).toContain('axb');
    const found = await search({ pattern: 'total', ignore_case: true, folder: 'lib' });
    expect(found).toContain('lib/b.js');
    expect(found).not.toContain('a.js');
  });

  it('takes a pattern that no line has as text as an expression, and says so', async () => {
    expect(await search({ pattern: '\\btotal\\b|axb' })).toMatch(
      /^\[No line has this text; these match it as a regex\.\]\na\.js[\s\S]*axb/,
    );
    expect(await search({ pattern: 'return (total' })).toBe('No match.');
    expect(await search({ pattern: '^return', regex: false })).toBe('No match.');
  });

  it.each([
    ['\\d{2}', ['f20']],
    ['f\\D', ['fx', 'f.\\d']],
    ['[\\d.]+0', ['f20']],
    ['f[^\\w\\s]', ['f.\\d']],
    ['\\.\\\\d', ['f.\\d']],
    ['f[[:digit:]]', ['f20']],
    ['[\\\\d]', ['f.\\d']],
    ['^[^\\].]+$', ['f20', 'fx']],
  ])('takes %s as models write it', async (pattern, lines) => {
    const all = ['f20', 'fx', 'f.\\d'];
    const given = { files: { 'n.txt': all.join('\n') } };
    const { texts } = await playCalls(given, [['grep', { pattern, regex: true }]]);
    expect(all.filter(line => texts[0]?.includes(line))).toEqual(lines);
  });

  it.each([
    ['a file', { folder: 'lib/b.js' }],
    ['a pattern', { folder: '*/*.js' }],
    ['a pattern in braces', { folder: 'lib/{b,c}.js' }],
    ['a path under its usual name', { path: 'lib' }],
  ])('searches %s', async (_, where) => {
    const found = await search({ pattern: 'total', ignore_case: true, ...where });
    expect(found).toContain('lib/b.js');
    expect(found).not.toContain('a.js');
  });

  it('tells a place that is not there from one without a match', async () => {
    expect(await search({ pattern: 'nowhere', folder: 'lib' })).toBe('No match.');
    expect(await search({ pattern: 'total', folder: 'src/b.js' })).toBe(
      'No match: src/b.js names no tracked file. Similar paths: lib/b.js, a.js',
    );
  });

  it('refuses a pattern of two lines', async () => {
    expect(await search({ pattern: 'a\nb' })).toContain('/pattern: must be one line');
  });
});
