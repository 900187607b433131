/** Settings of several models. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { parseSettings } from '../../src/settings/settings.ts';

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
