import { describe, expect, it } from 'vitest';
import { findEndpoint, readTerminalKeys } from '../../src/settings/find-endpoint.ts';
import { findPrice, findWindow, knownModels, takesImages } from '../../src/settings/models.ts';

describe('the price of a model', () => {
  it.each([
    ['gpt-5.5', 5],
    ['openai/gpt-5.5', 5],
    ['gpt-5.4-mini-2026-03-17', 0.75],
    ['claude-haiku-4-5-20251001', 1],
    ['claude-sonnet-5-5-latest', 2],
  ])('is found for %s', (model, input) => {
    expect(findPrice(model, undefined)).toMatchObject({ input });
  });

  it.each(['gpt-5.5x', 'llama', 'my/gpt-5.5', 'constructor', 'gpt-5.5-turbo', ''])(
    'is unknown for %j',
    model => {
      expect(findPrice(model, undefined)).toBeUndefined();
    },
  );

  it('is the own one before that of the list, whose date it names', () => {
    const own = { 'gpt-5.5': { input: 1, output: 2 } };
    expect(findPrice('gpt-5.5', own)).toEqual({ input: 1, output: 2, from: 'settings' });
    expect(findPrice('gpt-5.5', {})?.from).toMatch(/^2026-\d\d-\d\d$/);
  });

  it('never has a cache that costs more than the tokens, or output that costs less', () => {
    const priced = knownModels.flatMap(({ pricesFrom, models }) => {
      const rows = models.filter(({ price }) => price !== undefined);
      if (rows.length > 0) {
        expect(pricesFrom?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(pricesFrom?.source).toMatch(/^https:/);
      }
      return rows;
    });
    expect(priced.length).toBeGreaterThan(30);
    for (const { name, price } of priced) {
      const [input, cached, cacheWrite, output] = price ?? [0, 0, 0, 0];
      expect(name).toBeTypeOf('string');
      expect(cached ?? input, String(name)).toBeLessThanOrEqual(input);
      expect(cacheWrite ?? input, String(name)).toBeGreaterThanOrEqual(input);
      expect(output, String(name)).toBeGreaterThan(input);
    }
  });
});

describe('the window of a model', () => {
  it('is known by the name of the model, or not at all', () => {
    expect(findWindow('openai/gpt-4o-mini')).toBe(128_000);
    expect(findWindow('Claude-Sonnet-4')).toBe(200_000);
    expect(findWindow('gpt-5.5')).toBe(272_000);
    expect(findWindow('my-own-model')).toBeUndefined();
  });

  it.each([
    ['gpt-6.1-sol-2026-09-30', 272_000],
    ['claude-opus-5-5', 1_000_000],
    ['claude-sonnet-4-6', 200_000],
    ['claude-haiku-5-5', 100_000],
    ['deepseek-flash', 1_000_000],
    ['gemini-3.8-flash', 1_048_576],
    ['openai/gpt-oss-120b', 131_072],
    ['z-ai/glm-5.3', 1_048_576],
  ])('of today: %s has %i tokens', (model, tokens) => {
    expect(findWindow(model)).toBe(tokens);
  });

  it('comes with the day and the source of the facts', () => {
    for (const { factsFrom } of knownModels) {
      expect(factsFrom.date).toMatch(/^2026-\d\d-\d\d$/);
      expect(factsFrom.source).not.toBe('');
    }
  });

  it('is known of each model that a key alone chooses', () => {
    const names = [
      'OPENAI',
      'ANTHROPIC',
      'GEMINI',
      'OPENROUTER',
      'MISTRAL',
      'GROQ',
      'DEEPSEEK',
      'XAI',
    ];
    for (const name of names) {
      const apiKey = readTerminalKeys({ [`${name}_API_KEY`]: 'k' });
      const { model } = findEndpoint({ baseUrl: '', apiKey, model: '' });
      expect(findWindow(model), model).toBeGreaterThan(30_000);
    }
  });
});

describe('images', () => {
  it.each([
    ['gpt-5.2', true],
    ['openai/gpt-4o-mini', true],
    ['o3', true],
    ['o1-mini', false],
    ['claude-sonnet-4-5', true],
    ['gpt-3.5-turbo', false],
    ['gpt-oss-120b', false],
    ['qwen3-vl-30b', true],
  ])('%s is known to see: %s', (model, images) => {
    expect(takesImages(model, 'auto')).toBe(images);
    expect(takesImages(model, 'on')).toBe(true);
    expect(takesImages(model, 'off')).toBe(false);
  });
});
