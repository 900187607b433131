import { describe, expect, it } from 'vitest';
import { pickKeys, pickSections } from '../../../src/ecosystems/shared/sections.ts';

describe('the keys of a manifest that configure tests', () => {
  const pick = pickKeys(['scripts', 'jest']);

  it('are the same whatever else changes', () => {
    const before = '{ "version": "1.0.0", "scripts": { "test": "jest" } }';
    expect(pick(before.replace('1.0.0', '2.0.0'))).toBe(pick(before));
    expect(pick(before.replace('jest', 'true'))).not.toBe(pick(before));
  });

  it.each(['null', '[]'])('are none in %s', text => {
    expect(pick(text)).toBe(pick('{}'));
  });

  it('are the whole text where it cannot be read', () => {
    expect(pick('{ "scripts": ')).toContain('unreadable');
  });
});

describe('the sections of a configuration', () => {
  const pick = pickSections(/^\[(?:tool:)?pytest/);

  it('are those whose heading matches, whole', () => {
    const text = '[metadata]\nname = a\n[tool:pytest]\naddopts = -q\nx = [1]\n[flake8]\nmax = 1\n';
    expect(pick(text)).toBe('[tool:pytest]\naddopts = -q\nx = [1]\n');
  });

  it('are none where no heading matches', () => {
    expect(pick('# [pytest] in a comment\n[other]\n')).toBe('');
  });
});
