import { describe, expect, it } from 'vitest';
import { haskell } from '../../src/ecosystems/haskell.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

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

  it.each([
    ['1 of 2 test suites (7 of 9 test cases) passed.\n', { runner: 'cabal', ran: 9, failed: 2 }],
    [
      'shop> Test suite unit passed\nshop> Test suite whole failed\n',
      { runner: 'stack', ran: 2, failed: 1 },
    ],
  ])('counts the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual([counts]);
  });
});
