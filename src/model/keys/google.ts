/** Workload identity federation of Google Cloud, for Gemini and Vertex AI. */
import { type KeyExchangePreset, oauth } from './preset.ts';

const cloudScope = 'https://www.googleapis.com/auth/cloud-platform';

/**
 * https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token and, with a service account,
 * https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
 */
export const googleExchange: KeyExchangePreset = {
  audience: ({ audience, ids }) => audience || `https://iam.googleapis.com/${ids.provider}`,
  requests: ({ url, ids }) => {
    const exchange = (token: string) => ({
      url: url || 'https://sts.googleapis.com/v1/token',
      json: {
        grantType: oauth.tokenExchange,
        audience: `//iam.googleapis.com/${ids.provider}`,
        scope: cloudScope,
        requestedTokenType: oauth.accessToken,
        subjectToken: token,
        subjectTokenType: oauth.jwt,
      },
    });
    const { service_account: account } = ids;
    if (account === undefined) return [exchange];
    const path = `projects/-/serviceAccounts/${encodeURIComponent(account)}:generateAccessToken`;
    const impersonate = (token: string) => ({
      url: `https://iamcredentials.googleapis.com/v1/${path}`,
      headers: { authorization: `Bearer ${token}` },
      json: { scope: [cloudScope] },
    });
    return [exchange, impersonate];
  },
};
