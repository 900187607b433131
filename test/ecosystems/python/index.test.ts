import { describe, expect, it } from 'vitest';
import { python } from '../../../src/ecosystems/python/index.ts';

describe('the sections of a configuration', () => {
  const pick = python.influence?.sections?.['setup.cfg'] ?? String;

  it('are those whose heading matches, whole', () => {
    const text = '[metadata]\nname = a\n[tool:pytest]\naddopts = -q\nx = [1]\n[flake8]\nmax = 1\n';
    expect(pick(text)).toBe('[tool:pytest]\naddopts = -q\nx = [1]\n');
  });

  it('are none where no heading matches', () => {
    expect(pick('# [pytest] in a comment\n[other]\n')).toBe('');
  });
});
