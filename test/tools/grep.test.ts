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

  it('takes expressions as models write them', async () => {
    const all = ['f20', 'fx', 'f.\\d'];
    const written: readonly (readonly [string, readonly string[]])[] = [
      ['\\d{2}', ['f20']],
      ['f\\D', ['fx', 'f.\\d']],
      ['[\\d.]+0', ['f20']],
      ['f[^\\w\\s]', ['f.\\d']],
      ['\\.\\\\d', ['f.\\d']],
      ['f[[:digit:]]', ['f20']],
      ['[\\\\d]', ['f.\\d']],
      ['^[^\\].]+$', ['f20', 'fx']],
    ];
    const given = { files: { 'n.txt': all.join('\n') } };
    const calls = written.map(([pattern]) => ['grep', { pattern, regex: true }] as const);
    const { texts } = await playCalls(given, calls);
    for (const [i, [pattern, lines]] of written.entries())
      expect(
        all.filter(line => texts[i]?.includes(line)),
        pattern,
      ).toEqual(lines);
  });

  it('searches a file, a pattern, and a path under its usual name', async () => {
    const places = [
      { folder: 'lib/b.js' },
      { folder: '*/*.js' },
      { folder: 'lib/{b,c}.js' },
      { path: 'lib' },
    ];
    const about = { pattern: 'total', ignore_case: true };
    const calls = places.map(where => ['grep', { ...about, ...where }] as const);
    const { texts } = await playCalls({ files }, calls);
    for (const [i, where] of places.entries()) {
      expect(texts[i], JSON.stringify(where)).toContain('lib/b.js');
      expect(texts[i]).not.toContain('a.js');
    }
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
