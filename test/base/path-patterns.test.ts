/** Lists of paths: what the forms that people write match, and which forms are refused. */
import { array, assert, boolean, constantFrom, property, tuple } from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { findPatternProblem, pathMatcher, patternsBelow } from '../../src/base/path-patterns.ts';
import { protectedMatcher } from '../../src/guard/paths.ts';
import { findPackages } from '../../src/workflows/fleet/plan.ts';
import { isAll } from '../seed.ts';

const matches = (pattern: string, path: string) => pathMatcher([pattern])(path) !== undefined;

describe('a pattern of a list of paths', () => {
  it.each([
    ['/infra/**', 'infra/x', 'app/infra/x'],
    ['ops/', 'ops/y', 'ops.md'],
    ['ops/', 'app/ops/y', 'opsy/y'],
    ['infra', 'infra/deep/x', 'infrared/x'],
    ['infra/**/', 'infra/x', 'app/infra/x'],
    ['infra/**/', 'infra/a/b', 'infra.md'],
    ['*.pem', 'a/b/c.pem', 'a/pem'],
    ['/README.md', 'README.md', 'docs/README.md'],
    ['infra/*', 'infra/a/b', 'app/infra/a'],
    ['infra', 'INFRA/x', 'infrastructure'],
    ['{infra,ops}/', 'ops/y', 'ops.md'],
    ['{infra/**,*.tf}', 'app/main.tf', 'app/infra/x'],
    ['app/[id]/', 'app/[id]/page.tsx', 'app/[ix]/page.tsx'],
    ['app/(shop)/**', 'app/(shop)/page.tsx', 'app/shop/page.tsx'],
    ['/\\#private/', '#private/x', 'private/x'],
    ['docs/!(*.md)', 'docs/a.txt', 'docs/a.md'],
    ['@(a|b).key', 'deep/a.key', 'deep/c.key'],
    ['/@(a|b).key', 'a.key', 'deep/a.key'],
    ['u\u0308ber/', '\u00fcber/x', 'uber/x'],
  ])('%s matches %s, not %s', (pattern, inside, outside) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
    expect([inside, outside].map(path => protectedMatcher([pattern])(path))).toEqual([
      pattern,
      undefined,
    ]);
  });

  it.each([
    ['!infra/keep', 'begins with !'],
    ['{!infra,ops}', 'begins with !'],
    ['#infra', 'a comment'],
    ['infra/../ops', 'has .. in it'],
    ['./infra', 'has a . folder'],
    ['infra//x', 'has // in it'],
    ['infra\\**\\x', 'has a backslash'],
    ['infra\\', 'has a backslash'],
    ['C:/infra', 'begins with a drive'],
    ['~/infra', 'begins with ~'],
    ['/', 'names no path'],
    [' ', 'names no path'],
    ['infra\n!infra', 'control character'],
    ['@(infra|ops)/', 'end it in /**'],
    ['{a,b}'.repeat(20), 'more than 1000 patterns'],
  ])('%j is refused', (pattern, says) => {
    expect(findPatternProblem(pattern)).toContain(says);
  });

  it('of a folder applies below it, whatever the name of the folder', () => {
    const below = (pattern: string, path: string) =>
      pathMatcher(patternsBelow('a{b,c}[d]*', [pattern]))(path) !== undefined;
    expect(below('*.pem', 'a{b,c}[d]*/deep/x.pem')).toBe(true);
    expect(below('/x', 'a{b,c}[d]*/x')).toBe(true);
    expect(below('/x', 'a{b,c}[d]*/deep/x')).toBe(false);
    expect(below('{x,y/z}', 'a{b,c}[d]*/deep/x')).toBe(true);
    expect(below('*.pem', 'abdd/x.pem')).toBe(false);
    expect(patternsBelow('pkg', ['/**'])).toEqual(['pkg/**']);
  });

  it.each(['packages/*', '/packages/*/', 'packages/**'])(
    '%s names packages, not what is in them',
    pattern => {
      const files = ['packages/a/src/x.ts', 'packages/b/x.ts', 'other/packages/c/x.ts', 'x.ts'];
      expect(findPackages([pattern], files)).toEqual(['packages/a', 'packages/b']);
      expect(findPackages([], files)).toEqual([]);
    },
  );

  it('may be any text', () => {
    for (const pattern of ['[', '[z-a]', '[[:nope:]]', 'a**b', '{}', '{a', '('])
      expect(() => matches(pattern, 'a/b')).not.toThrow();
  });

  it('matches the same paths as the library alone', () => {
    const part = constantFrom(
      'a',
      'b',
      'aB',
      '.a',
      'a.b',
      '*',
      '*.b',
      'a*',
      '*a*',
      '**',
      'a**',
      '?',
    );
    const name = constantFrom('a', 'b', 'Ab', '.a', 'a.b', 'A.B', 'ba', 'aab', 'x');
    const pattern = tuple(boolean(), array(part, { minLength: 1, maxLength: 4 }), boolean()).map(
      ([anchored, parts, open]) => `${anchored ? '/' : ''}${parts.join('/')}${open ? '/' : ''}`,
    );
    const path = array(name, { minLength: 1, maxLength: 4 }).map(names => names.join('/'));
    void assert(
      property(array(pattern, { minLength: 1, maxLength: 3 }), path, (patterns, at) => {
        const library = ignore().add(patterns.map(each => ({ pattern: each, mark: each })));
        const found = library.test(at).rule ?? library.test(`${at}/`).rule;
        const mark = pathMatcher(patterns)(at);
        expect(mark === undefined).toBe(found === undefined);
        // of several that match, it may name another one
        if (mark !== undefined) expect(pathMatcher([mark])(at)).toBe(mark);
      }),
      { numRuns: isAll ? 3_000 : 500 },
    );
  });
});

describe('paths, more of them', () => {
  it('match hidden names and any case, and the first pattern is told', () => {
    const test = pathMatcher(['src/**', '**/*.KEY', '.photon/**']);
    expect(test('src/.hidden/.x')).toBe('src/**');
    expect(test('SRC/a')).toBe('src/**');
    expect(test('.deep/.er/x.key')).toBe('**/*.KEY');
    expect(test('.photon/.x')).toBe('.photon/**');
    expect(test('other')).toBeUndefined();
    const patterns = ['a'];
    expect(pathMatcher(patterns)).toBe(pathMatcher(patterns));
  });
});
