/** Workload identity federation of OpenAI. */
import { type KeyExchangePreset, oauth } from './preset.ts';

/**
 * https://developers.openai.com/api/reference/workload-identity-federation
 * The default audience is the one of https://developers.openai.com/api/docs/guides/workload-identity-federation/github-actions
 */
export const openaiExchange: KeyExchangePreset = {
  audience: ({ audience }) => audience || 'https://api.openai.com/v1',
  requests: ({ url, ids }) => [
    token => ({
      url: url || 'https://auth.openai.com/oauth/token',
      json: {
        grant_type: oauth.tokenExchange,
        subject_token_type: oauth.jwt,
        subject_token: token,
        ...ids,
      },
    }),
  ],
};
