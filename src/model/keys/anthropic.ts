/** Workload identity federation of Anthropic. */
import type { KeyExchangePreset } from './preset.ts';

/** What a request with a bearer token must name besides it (`OAUTH_API_BETA_HEADER` of the vendor's SDK). */
const bearerBeta = 'oauth-2025-04-20';

/**
 * https://platform.claude.com/docs/manage-claude/wif-reference (grant of RFC 7523); the header is that of the vendor's
 * SDK, anthropics/anthropic-sdk-typescript, src/lib/credentials/oidc-federation.ts
 */
export const anthropicExchange: KeyExchangePreset = {
  audience: ({ audience }) => audience || 'https://api.anthropic.com',
  requests: ({ url, ids }) => [
    token => ({
      url: url || 'https://api.anthropic.com/v1/oauth/token',
      headers: { 'anthropic-beta': `${bearerBeta},oidc-federation-2026-04-01` },
      json: {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: token,
        ...ids,
      },
    }),
  ],
};

/** Headers that a request with this key needs besides `Authorization: Bearer`; none for other keys. */
export function headersOfKey(key: string): Readonly<Record<string, string>> {
  return key.startsWith('sk-ant-oat') ? { 'anthropic-beta': bearerBeta } : {};
}
