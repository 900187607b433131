/** Paths of the workspace, in one spelling. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGitFolder, normalisePath, unportablePart } from '../../src/guard/paths.ts';

describe('paths, more of them', () => {
  it.each([
    ['.git', true],
    ['.GIT', true],
    ['.git...', true],
    ['.git. .', true],
    ['git~1', true],
    ['GIT~12', true],
    ['.g\u200cit', true],
    ['.git:x', true],
    ['git~', false],
    ['git~1x', false],
    ['xgit~1', false],
    ['.gitx', false],
    ['git', false],
    ['', false],
    ['.gi', false],
  ])("%j is git's folder: %s", (name, is) => expect(isGitFolder(name)).toBe(is));

  it.each([
    ['a'.repeat(4096), true],
    ['a'.repeat(4097), false],
    ['b:c', false],
    ['bb:c', true],
    ['x/b:c', true],
    ['9:c', true],
    ['a~b', true],
  ])('%j may be a path: %s', (path, may) => expect(normalisePath(path) !== undefined).toBe(may));
});

describe('paths', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['', ''],
    ['.', ''],
    ['a/.gitignore', 'a/.gitignore'],
    ['...', '...'],
    ['..', undefined],
    ['a/../b', undefined],
    ['/a', undefined],
    ['C:\\x', undefined],
    ['a\\b', undefined],
    ['.git::$DATA', undefined],
    ['a\0b', undefined],
    ['a\nb', undefined],
    ['~root', undefined],
  ])('%j is %j', (raw, expected) => expect(normalisePath(raw)).toBe(expected));

  it('never lead out, whatever is written', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      '.git',
      '.GIT',
      '\u200b.git',
      'x y',
      '~',
      '\\',
      'é',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), parts => {
        const path = normalisePath(parts.join('/'));
        if (path === undefined || path === '') return;
        expect(path.startsWith('/')).toBe(false);
        expect(path.split('/').some(p => p === '..' || p === '' || isGitFolder(p))).toBe(false);
      }),
    );
  });
});

it.each([
  '\\\\?\\C:\\work\\a.js',
  '\\\\.\\pipe\\a',
  '\\\\server\\share\\a.js',
  '//server/share/a.js',
  'C:\\work\\a.js',
  'C:/work/a.js',
  'C:a.js',
  'src\\a.js',
  '..\\a.js',
])('%s, which leads elsewhere on Windows, is no path of a tool', path => {
  expect(normalisePath(path)).toBeUndefined();
});

it.each([
  ['nul', 'nul'],
  ['src/CON.txt', 'CON.txt'],
  ['com1/x', 'com1'],
  ['lpt\u00b2.log', 'lpt\u00b2.log'],
  ['a/b:c', 'b:c'],
  ['what?.md', 'what?.md'],
  ['end./x', 'end.'],
  ['blank ', 'blank '],
  [`${'n'.repeat(256)}`, 'n'.repeat(256)],
  ['src/auxiliary.js', undefined],
  ['console.log', undefined],
  ['.gitignore', undefined],
  ['com10', undefined],
])('Windows cannot hold %j: %j', (path, part) => {
  expect(unportablePart(path)).toBe(part);
});
