/** Workload identity federation of Google Cloud. */
import { describe, expect, it } from 'vitest';
import { googleExchange } from '../../../src/model/keys/google.ts';
import { exchange, given, playExchange, settingsOf } from './exchanges.ts';

playExchange('google', googleExchange, 'https://sts.googleapis.com/v1/token');

describe('a key exchange', () => {
  // https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
  it('of google acts as a service account when one is named', () => {
    const ids = `${given.google[0]}, service_account=bot@project.iam.gserviceaccount.com`;
    const settings = settingsOf('google', { 'key-exchange-ids': ids });
    const requests = googleExchange.requests(settings);
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
