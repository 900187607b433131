import { describe, expect, it } from 'vitest';
import { findPrice, priceLists } from '../../src/settings/models.ts';

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
