/** Each key exchange sends what its vendor documents. */
import { describe, expect, it } from 'vitest';
import { keyExchangePresets } from '../../../src/model/keys/presets.ts';
import { type KeyExchangeName, keyExchangeNames } from '../../../src/settings/key-exchange.ts';
import { exchange, playExchange, settingsOf, uuid } from './exchanges.ts';

/** Where each exchange goes without an address of the settings; RFC 8693 has no vendor. */
const addresses: Readonly<Record<KeyExchangeName, string | undefined>> = {
  rfc8693: undefined,
  openai: 'https://auth.openai.com/oauth/token',
  anthropic: 'https://api.anthropic.com/v1/oauth/token',
  google: 'https://sts.googleapis.com/v1/token',
  azure: `https://login.microsoftonline.com/${uuid}/oauth2/v2.0/token`,
  openrouter: 'https://openrouter.ai/api/v1/oauth/token',
};

for (const name of keyExchangeNames) playExchange(name, keyExchangePresets[name], addresses[name]);

describe('a key exchange', () => {
  // https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
  it('of google acts as a service account when one is named', () => {
    const account = 'service_account=bot@project.iam.gserviceaccount.com';
    const settings = settingsOf('google', account);
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
});
