/** Globs: the same answers as the usual library, also where that would take for ever. */
import { array, assert, constantFrom, property } from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { globTest } from '../../src/base/globs.ts';
import { globMatcher, pathMatcher } from '../../src/base/path-patterns.ts';
import { seed } from '../seed.ts';

describe('a glob', () => {
  it.each([
    ['src/**/*.{ts,tsx}', 'src/a/b/c.tsx', 'src/a/b/c.js'],
    ['[a-c]?.t[!s]', 'bx.tx', 'bx.ts'],
    ['[!a]b', 'cb', 'ab'],
    ['!(*.md)', 'a.txt', 'a.md'],
    ['src/!(a|b)/*', 'src/c/x', 'src/a/x'],
    ['(a|b)c', 'bc', 'cc'],
    ['a\\*b', 'a*b', 'axb'],
    ['a[b', 'a[b', 'ab'],
    ['@(a', '@(a', 'a'],
    ['.env.!({*.,}{example,dist})', '.env.local', '.env.dist'],
    ['.env.!({*.,}{example,dist})', '.env.b', '.env.a.example'],
    ['{a,b}@(c)', 'bc', 'c'],
    ['{a@(c)', '{ac', 'ac'],
    ['a\\{b,c\\}{1,2}', 'a{b,c}1', 'ab1'],
    ['a\\\\{b,c}', 'a\\b', 'a{b,c}'],
  ])('%s matches %s, not %s', (glob, inside, outside) => {
    expect([globTest(glob)(inside), globTest(glob)(outside)]).toEqual([true, false]);
  });

  it('gives the answers of picomatch', () => {
    const part = constantFrom(
      ...['a', 'b', '.', '*', '?', '/', '/**/', '**/', '[ab]', '[^a]'],
      ...['@(a|b)', '*(a|bb)', '+(b)', '?(a.b)', '{a,b*}'],
    );
    const letter = constantFrom('a', 'b', '.', '/', 'ab', 'c');
    const glob = array(part, { minLength: 1, maxLength: 5 }).map(parts => parts.join(''));
    const path = array(letter, { minLength: 1, maxLength: 7 }).map(letters => letters.join(''));
    void assert(
      property(glob, path, (pattern, text) => {
        const isPath = !/\/\/|^\/|\/$|(^|\/)\.{1,2}(\/|$)/.test(text);
        const isPattern = !/\/\/|^\/|\/$|\*\*\(|\*{3}|[^/]\*\*|\*\*[^/]|[*?]\(/.test(
          pattern.replaceAll(/[*?+@]\([^)]*\)/g, 'x'),
        );
        // behind a group, the library reads ? * + as regular expressions do
        if (!isPath || !isPattern || /\)[?*+]|(^|\/)\.\//.test(pattern)) return;
        // and a group that may be nothing takes the slash of the folders before it along
        if (/\*\*/.test(pattern) && /[*?]\(/.test(pattern)) return;
        expect(globTest(pattern)(text), `${pattern} on ${text}`).toBe(
          picomatch(pattern, { dot: true })(text),
        );
      }),
      { seed, numRuns: 5_000 },
    );
  });

  /** Each takes an expression of the usual kind longer than a run, on a path that it does not match. */
  const hostile = [
    '@(a*)*(a*)*(a*)b',
    '+(+(a))b',
    '*(*(a))b',
    '!(+(a|a)|*(b))*(a|aa)c',
    `${'*a'.repeat(40)}b`,
    `${'?(a)'.repeat(40)}b`,
    `${'**/'.repeat(30)}b`,
    `${'**/a/'.repeat(20)}b`,
    '{a,b}'.repeat(40),
    `${'*('.repeat(60)}a${')'.repeat(60)}`,
  ];

  it.each(hostile)('%s ends on a long path, alone and in a list', glob => {
    for (const path of ['a'.repeat(200), `${'a/'.repeat(100)}x`]) {
      expect(globMatcher([glob])(path)).toBe(false);
      expect(pathMatcher([glob.slice(0, 200)])(path)).toBeUndefined();
    }
  });
});
