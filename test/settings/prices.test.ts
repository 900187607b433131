import { describe, expect, it } from 'vitest';
import {
  addUsage,
  allowRequest,
  type Budget,
  costOf,
  nothingSpent,
} from '../../src/agent/limits/budget.ts';
import { PhotonError } from '../../src/codes.ts';
import { findPrice, priceLists } from '../../src/settings/prices.ts';
import { parseSettings } from '../../src/settings/settings.ts';

describe('the price of a model', () => {
  it.each([
    ['gpt-5.5', 5],
    ['openai/gpt-5.5', 5],
    ['gpt-5.4-mini-2026-03-17', 0.75],
    ['claude-haiku-4-5-20251001', 1],
    ['claude-sonnet-5-5-latest', 2],
  ])('is found for %s', (model, input) => {
    expect(findPrice(model, null)).toMatchObject({ input });
  });

  it.each(['gpt-5.5x', 'llama', 'my/gpt-5.5', 'constructor', 'gpt-5.5-turbo', ''])(
    'is unknown for %j',
    model => {
      expect(findPrice(model, null)).toBeNull();
    },
  );

  it('is the own one before that of the list, whose date it names', () => {
    const own = { 'gpt-5.5': { input: 1, output: 2 } };
    expect(findPrice('gpt-5.5', own)).toEqual({ input: 1, output: 2, from: 'settings' });
    expect(findPrice('gpt-5.5', {})?.from).toMatch(/^2026-\d\d-\d\d$/);
  });

  it('never has a cache that costs more than the tokens, or output that costs less', () => {
    for (const { date, source, models } of priceLists) {
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(source).toMatch(/^https:/);
      for (const [name, [input, cached, cacheWrite, output]] of Object.entries(models)) {
        expect(cached ?? input, name).toBeLessThanOrEqual(input);
        expect(cacheWrite ?? input, name).toBeGreaterThanOrEqual(input);
        expect(output, name).toBeGreaterThan(input);
      }
    }
  });
});

describe('settings of several models', () => {
  const settings = (model: object, inputs: object = {}) =>
    parseSettings({ model: 'gpt-5.5', 'api-key': 'k', ...inputs }, { model });

  it('know the prices of all of them', () => {
    const { fallbacks, modelPrices } = settings({ fallbacks: ['gpt-5.4', 'gpt-5.5', 'llama'] });
    expect(fallbacks).toEqual(['gpt-5.4', 'llama']);
    expect(Object.keys(modelPrices)).toEqual(['gpt-5.5', 'gpt-5.4']);
  });

  it('refuse max-cost when one of them has no price', () => {
    const limit = { 'max-cost': '1' };
    expect(() => settings({ fallbacks: ['llama'] }, limit)).toThrow(
      new PhotonError('PRICE_UNKNOWN', 'max-cost is set, but "llama" has no price.'),
    );
    expect(settings({ fallbacks: ['gpt-5.4'] }, limit).maxCost).toBe(1);
  });
});

describe('the cost of a run', () => {
  const prices = {
    a: { input: 10, cached: 1, cacheWrite: 12, output: 50 },
    b: { input: 100, output: 500 },
  };
  const usage = { inputTokens: 1000, cachedTokens: 600, cacheWriteTokens: 300, outputTokens: 10 };

  it('bills cached tokens as such, by model', () => {
    const once = addUsage(nothingSpent, { usage, model: 'a' }, 1);
    expect(costOf(prices, once)).toBeCloseTo((100 * 10 + 600 + 300 * 12 + 10 * 50) / 1e6, 12);
    const both = addUsage(once, { usage, model: 'b' }, 1);
    expect(costOf(prices, both)).toBeCloseTo((5700 + 1000 * 100 + 10 * 500) / 1e6, 12);
    expect(addUsage(both, { usage, model: 'a' }, 1).models).toMatchObject([
      { model: 'a', rounds: 2, cachedTokens: 1200 },
      { model: 'b', rounds: 1, cachedTokens: 600 },
    ]);
  });

  it('is unknown when a model that replied has no price', () => {
    const spent = addUsage(nothingSpent, { usage, model: 'c' }, 1);
    expect(costOf(prices, spent)).toBeUndefined();
    expect(costOf({}, nothingSpent)).toBeUndefined();
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
