import { describe, expect, it } from 'vitest';
import { haskell } from '../../src/ecosystems/haskell.ts';
import { countCases, findTools } from './project.ts';

describe('Haskell', () => {
  it('is tested by stack before cabal', async () => {
    const cabal = { 'shop.cabal': 'test-suite spec\n' };
    expect(await findTools(haskell, { ...cabal, 'stack.yaml': '' })).toEqual([
      'stack: stack test (stack test --only-dependencies) by stack.yaml',
    ]);
    expect(await findTools(haskell, cabal)).toEqual([
      expect.stringMatching(/^cabal: cabal test all \(cabal update && .* by shop\.cabal$/),
    ]);
  });

  countCases([
    ['shop> Test suite unit passed\nshop> Test suite whole failed\n', 'stack: 2 ran, 1 failed'],
  ]);
});
