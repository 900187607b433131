import { describe, expect, it } from 'vitest';
import { mcnemar, wilson } from '../../src/evaluation/statistics.ts';

describe('the statistics', () => {
  // Wilson (1927); the values are those of R's binom.confint(method = 'wilson')
  it.each([
    [8, 10, 0.4902, 0.9433],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [1, 4, 0.0456, 0.6994],
  ])('give %d of %d the interval %d to %d', (count, total, low, high) => {
    const interval = wilson(count, total);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('know nothing without tasks', () => {
    expect(wilson(0, 0)).toEqual({ share: 0, low: 0, high: 1 });
  });

  // two-sided binomial tests with probability 1/2
  it.each([
    [0, 0, 1],
    [3, 0, 0.25],
    [1, 9, 0.021484375],
    [5, 5, 1],
    [10, 0, 0.001953125],
  ])('compare %d with %d', (a, b, p) => {
    expect(mcnemar(a, b)).toBeCloseTo(p, 9);
    expect(mcnemar(b, a)).toBeCloseTo(p, 9);
  });

  it('compare thousands without an overflow', () => {
    expect(mcnemar(2000, 2000)).toBe(1);
    expect(mcnemar(1900, 2100)).toBeCloseTo(0.00165, 4);
  });
});
