import { describe, expect, it } from 'vitest';
import { openBudget } from '../../src/evaluation/evaluate.ts';

describe('the budget', () => {
  it('never gives more than is left, however many runs are under way', () => {
    const budget = openBudget(10, 4);
    const given = [budget.take(3), budget.take(2), budget.take(1)];
    expect(given.map(Number).reduce((a, b) => a + b)).toBeLessThanOrEqual(10);
    for (const each of given)
      budget.settle(each === 'empty' ? undefined : each, Number(each), false);
    expect(budget.take(1)).toBe('empty');
  });

  it('gives back what a run did not use, and stops after one that was cut off', () => {
    const budget = openBudget(10, undefined);
    budget.settle(Number(budget.take(1)), 1, false);
    expect(budget.take(1)).toBe(9);
    budget.settle(9, 5, true);
    expect(budget.take(1)).toBe('empty');
    expect(openBudget(undefined, 4).take(1)).toBe(undefined);
  });
});
