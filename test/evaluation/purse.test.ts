import { describe, expect, it } from 'vitest';
import { openPurse } from '../../src/evaluation/purse.ts';

describe('the purse', () => {
  it('never gives more than is left, however many runs are under way', () => {
    const purse = openPurse(10, 4);
    const given = [purse.take(3), purse.take(2), purse.take(1)];
    expect(given.map(Number).reduce((a, b) => a + b)).toBeLessThanOrEqual(10);
    for (const each of given) purse.settle(each === 'empty' ? null : each, Number(each), false);
    expect(purse.take(1)).toBe('empty');
  });

  it('gives back what a run did not use, and stops after one that was cut off', () => {
    const purse = openPurse(10, null);
    purse.settle(Number(purse.take(1)), 1, false);
    expect(purse.take(1)).toBe(9);
    purse.settle(9, 5, true);
    expect(purse.take(1)).toBe('empty');
    expect(openPurse(null, 4).take(1)).toBe(null);
  });
});
