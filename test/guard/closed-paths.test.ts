/** Which paths the shipped constitution blocks, which it has people look at first, and which it leaves alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConstitution } from '../../src/guard/parse-constitution.ts';
import {
  isGitFolder,
  normalisePath,
  protectedMatcher,
  unportablePart,
} from '../../src/guard/paths.ts';
import { blockedPaths, flaggedPaths, openPaths, spellings } from '../attacks/closed-paths.ts';
import { root } from '../root.ts';

const text = readFileSync(join(root, 'constitution', 'photon.md'), 'utf8');
const policy = parseConstitution(text, 'photon.md');
const isBlocked = (path: string) => protectedMatcher(policy.protectedPaths)(path) !== null;
const isFlagged = (path: string) => protectedMatcher(policy.flaggedPaths)(path) !== null;

const inFolder = (path: string) => [path, `packages/app/${path}`];

describe.each(Object.entries(blockedPaths))('blocked: %s', (_system, paths) => {
  it.each(paths)('%s', path => {
    expect(isBlocked(path)).toBe(true);
    expect(isBlocked(path.toUpperCase())).toBe(true);
  });
});

describe.each(Object.entries(flaggedPaths))('people look first: %s', (_system, paths) => {
  it.each(paths.flatMap(inFolder))('%s', path => {
    expect(isBlocked(path)).toBe(false);
    expect(isFlagged(path)).toBe(true);
  });
});

describe.each(Object.entries(openPaths))('open: %s', (_kind, paths) => {
  it.each(paths)('%s', path => {
    expect(normalisePath(path)).toBe(path);
    expect(isBlocked(path)).toBe(false);
  });
});

it('ordinary sources make nobody look first', () => {
  const paths = openPaths['sources and texts'];
  expect(paths.filter(isFlagged)).toEqual([]);
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
  expect(normalisePath(path)).toBeNull();
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
  ['src/auxiliary.js', null],
  ['console.log', null],
  ['.gitignore', null],
  ['com10', null],
])('Windows cannot hold %j: %j', (path, part) => {
  expect(unportablePart(path)).toBe(part);
});

describe('spellings that some file system takes for a closed path', () => {
  it.each(spellings)('%j', path => {
    const plain = normalisePath(path);
    expect(plain === null || isBlocked(plain)).toBe(true);
  });

  it.each([
    '.git',
    '.GIT',
    '.git ',
    '.git.',
    '.git. .',
    '.g\u200cit',
    'git~1',
    'GIT~12',
    '.git::$INDEX_ALLOCATION',
  ])("git's own folder: %j", name => {
    expect(isGitFolder(name)).toBe(true);
    expect(normalisePath(`${name}/config`)).toBeNull();
  });

  it.each(['.gitignore', 'git', '.git2', 'digit', 'git~x', '...', ' '])(
    'another name: %j',
    name => {
      expect(isGitFolder(name)).toBe(false);
    },
  );
});
