/** Workload identity federation of OpenRouter. */
import { type KeyExchangePreset, oauth } from './preset.ts';

/** https://openrouter.ai/docs/api/api-reference/oauth/exchange-a-workload-identity-token */
export const openrouterExchange: KeyExchangePreset = {
  audience: ({ audience }) => audience || 'https://openrouter.ai',
  requests: ({ url, ids }) => [
    token => ({
      url: url || 'https://openrouter.ai/api/v1/oauth/token',
      form: {
        grant_type: oauth.tokenExchange,
        subject_token: token,
        subject_token_type: oauth.jwt,
        ...ids,
      },
    }),
  ],
};
