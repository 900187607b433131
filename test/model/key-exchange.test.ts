import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/codes.ts';
import { type IssuedKey, openKeySource } from '../../src/model/key-exchange/key-source.ts';
import { exchangeKey, keyExchangePresets } from '../../src/model/key-exchange/run-exchange.ts';
import { type KeyExchangeName, keyExchangeNames } from '../../src/settings/key-exchange.ts';
import { parseSettings } from '../../src/settings/settings.ts';
import { idToken, startTokenEndpoint, type TokenAnswer } from '../doubles/token-endpoint.ts';

const uuid = '4b2f7d1e-8c3a-4e5f-9a6b-1c2d3e4f5a6b';
const provider = 'projects/123/locations/global/workloadIdentityPools/ci/providers/github';

/** Ids of each exchange, and the audience of the id token that its vendor documents. */
const given: Readonly<Record<KeyExchangeName, readonly [ids: string, audience: string]>> = {
  rfc8693: ['', 'photon'],
  openai: ['identity_provider_id=idp_1, service_account_id=user-1', 'https://api.openai.com/v1'],
  anthropic: [
    `federation_rule_id=fdrl_1\norganization_id=${uuid}\nservice_account_id=svac_1\n`,
    'https://api.anthropic.com',
  ],
  google: [`provider=${provider}`, `https://iam.googleapis.com/${provider}`],
  azure: [`tenant_id=${uuid}, client_id=${uuid}`, 'api://AzureADTokenExchange'],
  openrouter: [`federation_policy_id=${uuid}`, 'https://openrouter.ai'],
};

const settingsOf = (name: KeyExchangeName, more: Readonly<Record<string, string>> = {}) => {
  const settings = parseSettings(
    { 'key-exchange': name, 'key-exchange-ids': given[name][0], ...more },
    {},
  );
  if (settings.keyExchange === null) throw new Error('no exchange');
  return settings.keyExchange;
};

const granted: TokenAnswer = { body: { access_token: 'key-of-the-vendor', expires_in: 900 } };

/** One exchange with a double of the vendor's endpoint. */
async function exchange(name: KeyExchangeName, answer = granted) {
  const endpoint = await startTokenEndpoint(name, () => answer);
  try {
    const issued = await exchangeKey({
      idTokenUrl: `${endpoint.url}/id?api-version=2`,
      idTokenBearer: 'bearer-of-the-job',
      settings: settingsOf(name, { 'key-exchange-url': `${endpoint.url}/token` }),
      signal: new AbortController().signal,
      now: () => 1_000_000,
    });
    return { issued, endpoint };
  } finally {
    endpoint.close();
  }
}

describe('a key exchange', () => {
  it.each(keyExchangeNames)(
    'of %s sends what the vendor documents, and nothing else',
    async name => {
      const { issued, endpoint } = await exchange(name);
      expect(endpoint.violations).toEqual([]);
      expect(endpoint.audiences).toEqual([given[name][1]]);
      expect(issued).toEqual({ key: 'key-of-the-vendor', expiresAt: 1_900_000 });
    },
  );

  it.each([
    ['openai', 'https://auth.openai.com/oauth/token'],
    ['anthropic', 'https://api.anthropic.com/v1/oauth/token'],
    ['google', 'https://sts.googleapis.com/v1/token'],
    ['azure', `https://login.microsoftonline.com/${uuid}/oauth2/v2.0/token`],
    ['openrouter', 'https://openrouter.ai/api/v1/oauth/token'],
  ] as const)('of %s goes to the address of the vendor', (name, url) => {
    const [first] = keyExchangePresets[name].requests(settingsOf(name));
    expect(first?.(idToken).url).toBe(url);
  });

  // https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
  it('of google acts as a service account when one is named', () => {
    const ids = `${given.google[0]}, service_account=bot@project.iam.gserviceaccount.com`;
    const settings = settingsOf('google', { 'key-exchange-ids': ids });
    const requests = keyExchangePresets.google.requests(settings);
    expect(requests[1]?.('token-of-sts')).toEqual({
      url: 'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/bot%40project.iam.gserviceaccount.com:generateAccessToken',
      headers: { authorization: 'Bearer token-of-sts' },
      json: { scope: ['https://www.googleapis.com/auth/cloud-platform'] },
    });
  });

  it('takes the answer of generateAccessToken, too', async () => {
    const body = { accessToken: 'key-of-the-account', expireTime: '2026-11-22T10:00:00Z' };
    const { issued } = await exchange('google', { body });
    expect(issued).toEqual({
      key: 'key-of-the-account',
      expiresAt: Date.parse('2026-11-22T10:00:00Z'),
    });
  });

  it.each([
    ['a refusal', { status: 401, body: { error: 'invalid_grant' } }, 'HTTP 401 (invalid_grant)'],
    ['no token', { body: { token_type: 'Bearer' } }, 'the response holds no token'],
    ['a token with a line break', { body: { access_token: 'key\r\nx: y' } }, 'holds no token'],
    ['a refusal that repeats the token', { status: 400, body: { error: idToken } }, 'HTTP 400.'],
  ])('with %s fails, and says so without a token', async (_, answer, says) => {
    const failed = await exchange('openai', answer).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'KEY_EXCHANGE' });
    expect((failed as Error).message).toContain(says);
    expect((failed as Error).message).not.toContain(idToken);
  });
});

describe('the settings of a key exchange', () => {
  const parse = (inputs: Readonly<Record<string, string>>) => () => parseSettings(inputs, {});
  it.each([
    ['a missing id', { 'key-exchange': 'openai', 'key-exchange-ids': 'service_account_id=x' }],
    [
      'an id of another vendor',
      {
        'key-exchange': 'rfc8693',
        'key-exchange-url': 'https://a.test',
        'key-exchange-ids': 'tenant_id=x',
      },
    ],
    [
      'a name without a value',
      { 'key-exchange': 'openrouter', 'key-exchange-ids': 'federation_policy_id' },
    ],
    ['RFC 8693 without an address', { 'key-exchange': 'rfc8693' }],
    ['an unknown exchange', { 'key-exchange': 'other' }],
  ])('refuse %s', (_, inputs) => {
    expect(parse(inputs)).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
  });

  it('take an address alone as RFC 8693', () => {
    expect(parseSettings({ 'key-exchange-url': 'https://a.test/token' }, {}).keyExchange).toEqual({
      name: 'rfc8693',
      url: 'https://a.test/token',
      audience: '',
      ids: {},
    });
  });
});

describe('a key that expires', () => {
  /** A source over scripted keys, with a clock that the test sets. */
  const open = (script: readonly (IssuedKey | 'fails')[]) => {
    const clock = { now: 0 };
    const arrived: string[] = [];
    let issued = 0;
    const key = openKeySource({
      now: () => clock.now,
      arrived: each => arrived.push(each),
      issue: async () => {
        const next = script[issued++];
        if (next === undefined || next === 'fails')
          throw new PhotonError('KEY_EXCHANGE', 'refused');
        return next;
      },
    });
    return { clock, arrived, key };
  };
  const minutes = (n: number) => n * 60_000;

  it('of fifteen minutes is renewed five minutes before, and announced before its use', async () => {
    const { clock, arrived, key } = open([
      { key: 'first', expiresAt: minutes(15) },
      { key: 'second', expiresAt: minutes(25) },
    ]);
    expect(await key()).toBe('first');
    clock.now = minutes(10) - 1;
    expect(await key()).toBe('first');
    clock.now = minutes(10);
    expect(await Promise.all([key(), key()])).toEqual(['second', 'second']);
    expect(arrived).toEqual(['first', 'second']);
  });

  it('within ten minutes is renewed at half of its life, and one without an end never', async () => {
    const short = open([
      { key: 'first', expiresAt: minutes(4) },
      { key: 'second', expiresAt: null },
    ]);
    await short.key();
    short.clock.now = minutes(2) - 1;
    expect(await short.key()).toBe('first');
    short.clock.now = minutes(2);
    expect(await short.key()).toBe('second');
    short.clock.now = minutes(10_000);
    expect(await short.key()).toBe('second');
  });

  it('stays in use while its renewal fails, and ends with KEY_EXCHANGE when it has expired', async () => {
    const { clock, key } = open([
      { key: 'first', expiresAt: minutes(15) },
      'fails',
      { key: 'second', expiresAt: minutes(26) },
      'fails',
    ]);
    await key();
    clock.now = minutes(10);
    expect(await key()).toBe('first');
    clock.now = minutes(11);
    expect(await key()).toBe('second');
    clock.now = minutes(26);
    await expect(key()).rejects.toMatchObject({ code: 'KEY_EXCHANGE' });
  });
});
