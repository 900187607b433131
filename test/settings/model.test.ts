/** Settings of several models. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { listSecretParts } from '../../src/settings/model.ts';
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

describe('an address that holds a password', () => {
  it.each([
    'https://user:hunter2@llm.example/v1',
    'https://hunter2@llm.example/v1',
    'user:hunter2@llm.example',
    'ftp://user:hunter2@llm.example',
  ])('%s is refused without its text', address => {
    const parse = () => parseSettings({ 'base-url': address, model: 'm', 'api-key': 'k' }, {});
    expect(parse).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
    expect(parse).toThrow('base-url holds a user name or a password');
    expect(parse).not.toThrow('hunter2');
  });

  it('is none for an @ in the path', () => {
    const address = 'https://llm.example/publishers/a@001/v1';
    const given = { 'base-url': address, model: 'm', 'api-key': 'k' };
    expect(parseSettings(given, {}).baseUrl).toBe(address);
  });
});

it('secrets are in the query, the headers and the fields of requests, by their names', () => {
  const parts = listSecretParts({
    baseUrl: 'https://llm.example/v1?api-version=2026-01-01&subscription-key=q-secret',
    extraHeaders: { 'X-Team': 'shop', Cookie: 'h-secret' },
    extraBody: { user: 'shop', metadata: { access_token: 'b-secret', retries: 3 } },
  });
  expect(parts).toEqual(['q-secret', 'h-secret', 'b-secret']);
});

describe('a key whose owner nothing tells', () => {
  const key = { 'api-key': '0123456789abcdef0123456789abcdef' };
  const named = { model: { name: 'deepseek-chat' } };

  it("is led nowhere by the repository's configuration alone", () => {
    expect(() => parseSettings(key, named)).toThrow(
      expect.objectContaining({
        code: 'KEY_ADDRESS',
        message: expect.stringContaining('only the configuration of the repository'),
      }),
    );
    expect(() => parseSettings(key, {}, { central: { name: 'a/b', config: named } })).toThrow(
      expect.objectContaining({ code: 'KEY_ADDRESS' }),
    );
  });

  it('goes where a person leads it, and one whose form tells its owner goes there', () => {
    const at = 'https://api.deepseek.com/v1';
    expect(parseSettings({ ...key, model: 'deepseek-chat' }, {}).baseUrl).toBe(at);
    expect(parseSettings(key, named, { own: named }).baseUrl).toBe(at);
    expect(parseSettings({ ...key, 'base-url': at }, named).baseUrl).toBe(at);
    expect(parseSettings({ 'api-key': 'gsk_g' }, { model: { name: 'own' } }).baseUrl).toBe(
      'https://api.groq.com/openai/v1',
    );
  });
});
