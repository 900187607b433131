import { expect, it } from 'vitest';
import { filePattern } from '../../src/tools/list-project-files.ts';

const paths = [
  'main.py',
  'src/a.py',
  'src/deep/b.py',
  'src/c.pyi',
  'src/app/[id]/(group)/page.tsx',
  'README.md',
  '.env.example',
];

it.each<[string, readonly string[]]>([
  ['**/*.py', ['main.py', 'src/a.py', 'src/deep/b.py']],
  ['*.py', ['main.py']],
  ['./*.py', ['main.py']],
  ['src/*', ['src/a.py', 'src/c.pyi']],
  ['src/**', ['src/a.py', 'src/deep/b.py', 'src/c.pyi', 'src/app/[id]/(group)/page.tsx']],
  ['src/**/b.py', ['src/deep/b.py']],
  ['**/?.py', ['src/a.py', 'src/deep/b.py']],
  ['**/*.{py,md}', ['main.py', 'src/a.py', 'src/deep/b.py', 'README.md']],
  ['{src,lib}/{a,c}.py*', ['src/a.py', 'src/c.pyi']],
  ['readme.*', ['README.md']],
  ['**/*.{py}', ['main.py', 'src/a.py', 'src/deep/b.py']],
  ['**/[id]/(group)/*', ['src/app/[id]/(group)/page.tsx']],
  ['**/\\[id\\]/\\(group\\)/*', ['src/app/[id]/(group)/page.tsx']],
  ['*', ['main.py', 'README.md', '.env.example']],
  ['**', paths],
  ['src', []],
  ['**/a', []],
  ['{a', []],
])('finds files by the pattern %s', (pattern, expected) => {
  expect(paths.filter(path => filePattern(pattern)?.(path))).toEqual(expected);
});

it('escaped braces are characters', () => {
  const fits = filePattern('a\\{b,c\\}.{js,ts}');
  expect(fits?.('a{b,c}.ts')).toBe(true);
  expect(fits?.('ab.ts')).toBe(false);
});

it('more than fifty alternatives are refused', () => {
  expect(filePattern('{a,b}'.repeat(5))).not.toBeUndefined();
  expect(filePattern('{a,b}'.repeat(40))).toBeUndefined();
});

it.each(['(a+)+b', `${'*a'.repeat(60)}b`, `${'**/a/'.repeat(40)}b`, '+(a|aa)'.repeat(20)])(
  '%s ends on names that nearly fit it',
  pattern => {
    const matches = filePattern(pattern);
    expect(matches?.('a'.repeat(250)) ?? false).toBe(false);
    expect(matches?.(`${'a/'.repeat(1000)}c`) ?? false).toBe(false);
  },
);
