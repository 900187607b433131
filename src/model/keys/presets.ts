/** The key exchanges by vendor: the audience of the id token, and the requests that turn it into a key. Pure. */
import type { KeyExchangeName, KeyExchangeSettings } from '../../settings/key-exchange.ts';

/** A request to a token endpoint, as data. */
export interface TokenRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** One way to exchange the id token of the job for a key. Pure. */
export interface KeyExchangePreset {
  /** The `aud` claim of the id token. */
  audience(settings: KeyExchangeSettings): string;
  /** The requests in order: the first sends the id token, each other one the token that the one before got. */
  requests(settings: KeyExchangeSettings): readonly ((token: string) => TokenRequest)[];
}

/** Values of OAuth 2.0 that several vendors use (RFC 8693, section 2.1 and 3). */
const oauth = {
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
} as const;

// The exchange of RFC 8693 with any issuer.

const getAudience: KeyExchangePreset['audience'] = ({ audience }) => audience || 'photon';

/** https://www.rfc-editor.org/rfc/rfc8693#section-2.1 */
const rfc8693Exchange: KeyExchangePreset = {
  audience: getAudience,
  requests: settings => [
    token => ({
      url: settings.url,
      form: {
        grant_type: oauth.tokenExchange,
        subject_token: token,
        subject_token_type: oauth.jwt,
        requested_token_type: oauth.accessToken,
        audience: getAudience(settings),
      },
    }),
  ],
};

// Workload identity federation of OpenAI.

/**
 * https://developers.openai.com/api/reference/workload-identity-federation
 * The default audience is the one of https://developers.openai.com/api/docs/guides/workload-identity-federation/github-actions
 */
const openaiExchange: KeyExchangePreset = {
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

// Workload identity federation of Anthropic.

/** What a request with a bearer token must name besides it (`OAUTH_API_BETA_HEADER` of the vendor's SDK). */
const bearerBeta = 'oauth-2025-04-20';

/**
 * https://platform.claude.com/docs/manage-claude/wif-reference (grant of RFC 7523); the header is that of the vendor's
 * SDK, anthropics/anthropic-sdk-typescript, src/lib/credentials/oidc-federation.ts
 */
const anthropicExchange: KeyExchangePreset = {
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

// Workload identity federation of Google Cloud, for Gemini and Vertex AI.

const cloudScope = 'https://www.googleapis.com/auth/cloud-platform';

/**
 * https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token and, with a service account,
 * https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
 */
const googleExchange: KeyExchangePreset = {
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

// Federated credentials of Microsoft Entra, for Azure OpenAI.

/**
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow (the third case), with the
 * audience of https://learn.microsoft.com/entra/workload-id/workload-identity-federation-create-trust
 */
const azureExchange: KeyExchangePreset = {
  audience: ({ audience }) => audience || 'api://AzureADTokenExchange',
  requests: ({ url, ids: { tenant_id = '', client_id = '', scope } }) => [
    token => ({
      url:
        url ||
        `https://login.microsoftonline.com/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
      form: {
        client_id,
        scope: scope ?? 'https://cognitiveservices.azure.com/.default',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: token,
        grant_type: 'client_credentials',
      },
    }),
  ],
};

// Workload identity federation of OpenRouter.

/** https://openrouter.ai/docs/api/api-reference/oauth/exchange-a-workload-identity-token */
const openrouterExchange: KeyExchangePreset = {
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

/** The presets by the names of the setting `key-exchange`. */
export const keyExchangePresets: Readonly<Record<KeyExchangeName, KeyExchangePreset>> = {
  rfc8693: rfc8693Exchange,
  openai: openaiExchange,
  anthropic: anthropicExchange,
  google: googleExchange,
  azure: azureExchange,
  openrouter: openrouterExchange,
};

/** Headers that a request with this key needs besides `Authorization: Bearer`; none for other keys. */
export function headersOfKey(key: string): Readonly<Record<string, string>> {
  return key.startsWith('sk-ant-oat') ? { 'anthropic-beta': bearerBeta } : {};
}
