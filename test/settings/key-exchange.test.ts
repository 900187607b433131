/** The settings of a key exchange. */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/settings/settings.ts';

describe('the settings of a key exchange', () => {
  const parse = (inputs: Readonly<Record<string, string>>) => () => parseSettings(inputs, {});
  it.each([
    ['a missing id', { 'key-exchange': 'openai', 'key-exchange-ids': 'service_account_id=x' }],
    [
      'an id of another vendor',
      {
        'key-exchange': 'rfc8693',
        'key-exchange-ids': 'url=https://a.test, tenant_id=x',
      },
    ],
    [
      'a name without a value',
      { 'key-exchange': 'openrouter', 'key-exchange-ids': 'federation_policy_id' },
    ],
    ['RFC 8693 without an address', { 'key-exchange': 'rfc8693' }],
    ['an address that is none', { 'key-exchange-ids': 'url=a.test' }],
    ['an unknown exchange', { 'key-exchange': 'other' }],
  ])('refuse %s', (_, inputs) => {
    expect(parse(inputs)).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
  });

  it('take an address alone as RFC 8693', () => {
    expect(
      parseSettings({ 'key-exchange-ids': 'url=https://a.test/token' }, {}).keyExchange,
    ).toEqual({
      name: 'rfc8693',
      url: 'https://a.test/token',
      audience: '',
      ids: {},
    });
  });
});
