/** The cost of a run. */
import { describe, expect, it } from 'vitest';
import {
  addUsage,
  allowRequest,
  type Budget,
  computeCost,
  nothingSpent,
} from '../../../src/agent/limits/budget.ts';

describe('the cost of a run', () => {
  const prices = {
    a: { input: 10, cached: 1, cacheWrite: 12, output: 50 },
    b: { input: 100, output: 500 },
  };
  const usage = { inputTokens: 1000, cachedTokens: 600, cacheWriteTokens: 300, outputTokens: 10 };

  it('bills cached tokens as such, by model', () => {
    const once = addUsage(nothingSpent, { usage, model: 'a' }, 1);
    expect(computeCost(prices, once)).toBeCloseTo((100 * 10 + 600 + 300 * 12 + 10 * 50) / 1e6, 12);
    const both = addUsage(once, { usage, model: 'b' }, 1);
    expect(computeCost(prices, both)).toBeCloseTo((5700 + 1000 * 100 + 10 * 500) / 1e6, 12);
    expect(addUsage(both, { usage, model: 'a' }, 1).models).toMatchObject([
      { model: 'a', rounds: 2, cachedTokens: 1200 },
      { model: 'b', rounds: 1, cachedTokens: 600 },
    ]);
  });

  it('is unknown when a model that replied has no price', () => {
    const spent = addUsage(nothingSpent, { usage, model: 'c' }, 1);
    expect(computeCost(prices, spent)).toBeUndefined();
    expect(computeCost({}, nothingSpent)).toBeUndefined();
  });

  it('may reach the limit at the dearest model that could reply', () => {
    const budget: Budget = {
      maxRounds: 9,
      maxTokens: 1e9,
      maxCost: 0.2,
      modelPrices: prices,
      maxOutputTokens: 1e6,
      deadline: 10,
    };
    // 300 bytes are 100 tokens of 100 a million, which leaves 0.19 for replies of 500 a million
    expect(allowRequest(budget, nothingSpent, { bytes: 300, now: 0 })).toBe(380);
    expect(() =>
      allowRequest({ ...budget, maxCost: 0.13 }, nothingSpent, { bytes: 300, now: 0 }),
    ).toThrow('max-cost');
  });
});
