import { describe, expect, it } from 'vitest';
import { isGitFolder, normalisePath, protectedMatcher } from '../../src/guard/paths.ts';
import { blockedPaths, flaggedPaths, openPaths, spellings } from '../attacks/closed-paths.ts';
import { policy } from './policies.ts';

const isBlocked = (path: string) => protectedMatcher(policy.protectedPaths)(path) !== undefined;

const isFlagged = (path: string) => protectedMatcher(policy.flaggedPaths)(path) !== undefined;

const inFolder = (path: string) => [path, `packages/app/${path}`];

it('ordinary sources make nobody look first', () => {
  const paths = openPaths['sources and texts'];
  expect(paths.filter(isFlagged)).toEqual([]);
});

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

describe('spellings that some file system takes for a closed path', () => {
  it.each(spellings)('%j', path => {
    const plain = normalisePath(path);
    expect(plain === undefined || isBlocked(plain)).toBe(true);
  });

  it.each(['.gitignore', 'git', '.git2', 'digit', 'git~x', '...', ' '])(
    'another name: %j',
    name => {
      expect(isGitFolder(name)).toBe(false);
    },
  );
});
