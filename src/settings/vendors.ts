/** Who serves models: one table of vendors, with what a run knows of each before its first request. Pure. */

/** What is known of an endpoint before its first request; `EndpointFacts` in `src/model/apis/api.ts` explains the fields. */
interface KnownFacts {
  readonly api?: 'responses' | 'messages';
  readonly tokenLimitKey?: 'max_completion_tokens';
  readonly cacheKey?: true;
  readonly reasoningEffort?: 'none';
  readonly shortIds?: true;
  readonly refused?: ReadonlySet<string>;
}

type Ids = Readonly<Record<string, string>>;

/** A request to a token endpoint, as data. */
export interface TokenRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form. */
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** How the OIDC token of a job becomes a key. */
export interface TokenExchange {
  /** Its name in the setting `key-exchange`. */
  readonly name: string;
  /** The ids that it needs, as the vendor documents them; `?` for optional ones. */
  readonly ids: readonly string[];
  /** The `aud` claim of the id token, where no setting names one. */
  readonly audience: (ids: Ids) => string;
  /** Sends the id token; to another address where a setting names one. */
  readonly request: (token: string, ids: Ids, audience: string) => TokenRequest;
  /** A second request, with the token of the first; absent, or undefined, where that is the key. */
  readonly actAs?: (token: string, ids: Ids) => TokenRequest | undefined;
}

export interface Vendor {
  /** Rows of one name are one vendor: a key of one may go to the address of the other. */
  readonly name: string;
  /** Its name in the GenAI conventions of OpenTelemetry; absent where they have none. */
  readonly provider?: string;
  /** Matches the hosts of its addresses; absent where that of `baseUrl` is the only one. */
  readonly host?: RegExp;
  /** Its address; absent where every customer has another one. */
  readonly baseUrl?: string;
  /** The path of its API at the addresses of its customers. */
  readonly path?: string;
  /** Variables in which its customers keep their key, the usual one first. */
  readonly keyNames?: readonly string[];
  /** Matches its keys, and no key of another vendor; absent where they have no form of their own. */
  readonly keyForm?: RegExp;
  /** Matches the names of its own models. */
  readonly models?: RegExp;
  /** True where models of many vendors are served; `prefixed` if their names hold the vendor. */
  readonly serves?: 'prefixed' | 'any';
  /** A model that is cheap and current, for a key alone. */
  readonly model?: string;
  /** What it refuses beyond this is learned, as it is at an address that no row names. */
  readonly facts?: KnownFacts;
  /** What differs for models whose names match; the first that does holds. */
  readonly modelFacts?: readonly (readonly [RegExp, KnownFacts])[];
  readonly exchange?: TokenExchange;
}

/** Values of OAuth 2.0 that several vendors use (RFC 8693, section 2.1 and 3). */
const oauth = {
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
} as const;

const sendSubject = (token: string) => ({
  grant_type: oauth.tokenExchange,
  subject_token: token,
  subject_token_type: oauth.jwt,
});

/** The exchange with any issuer, whose address a setting names: https://www.rfc-editor.org/rfc/rfc8693#section-2.1 */
const anyExchange: TokenExchange = {
  name: 'rfc8693',
  ids: [],
  audience: () => 'photon',
  request: (token, _ids, audience) => ({
    url: '',
    form: { ...sendSubject(token), requested_token_type: oauth.accessToken, audience },
  }),
};

/** What a request with a bearer token must name besides it (`OAUTH_API_BETA_HEADER` of Anthropic's SDK). */
const bearerBeta = 'oauth-2025-04-20';

const cloudScope = 'https://www.googleapis.com/auth/cloud-platform';

// https://platform.openai.com/docs/api-reference/chat: max_tokens is deprecated, models that reason refuse it
const openaiFacts = { tokenLimitKey: 'max_completion_tokens', cacheKey: true } as const;

/** The vendors; the first whose host, key or model matches is meant. Addresses and variables: 2026-11-27. */
export const vendors: readonly Vendor[] = [
  {
    // https://platform.claude.com/docs/en/api/overview, https://platform.claude.com/docs/en/models/haiku-5-5/overview
    name: 'Anthropic',
    provider: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyNames: ['ANTHROPIC_API_KEY'],
    keyForm: /^sk-ant-/,
    models: /^claude-/,
    model: 'claude-haiku-5-5',
    facts: { api: 'messages' },
    // https://platform.claude.com/docs/manage-claude/wif-reference (grant of RFC 7523); the header is that of the vendor's
    // SDK, anthropics/anthropic-sdk-typescript, src/lib/credentials/oidc-federation.ts
    exchange: {
      name: 'anthropic',
      ids: ['federation_rule_id', 'organization_id', 'service_account_id', 'workspace_id?'],
      audience: () => 'https://api.anthropic.com',
      request: (token, ids) => ({
        url: 'https://api.anthropic.com/v1/oauth/token',
        headers: { 'anthropic-beta': `${bearerBeta},oidc-federation-2026-04-01` },
        json: {
          grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
          assertion: token,
          ...ids,
        },
      }),
    },
  },
  {
    // https://openrouter.ai/docs/quickstart
    name: 'OpenRouter',
    provider: 'openrouter.ai',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyNames: ['OPENROUTER_API_KEY'],
    keyForm: /^sk-or-/,
    serves: 'prefixed',
    model: 'openai/gpt-6-luna',
    // https://openrouter.ai/docs/api/api-reference/oauth/exchange-a-workload-identity-token
    exchange: {
      name: 'openrouter',
      ids: ['federation_policy_id'],
      audience: () => 'https://openrouter.ai',
      request: (token, ids) => ({
        url: 'https://openrouter.ai/api/v1/oauth/token',
        form: { ...sendSubject(token), ...ids },
      }),
    },
  },
  {
    // https://developers.openai.com/api/docs/models; open models of OpenAI (gpt-oss) are not served there
    name: 'OpenAI',
    provider: 'openai',
    host: /(?:^|\.)api\.openai\.com$/,
    baseUrl: 'https://api.openai.com/v1',
    keyNames: ['OPENAI_API_KEY'],
    keyForm: /^sk-(?:proj|svcacct|admin)-|T3BlbkFJ/,
    models: /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-|codex-|o\d(?:$|-))/,
    model: 'gpt-6-luna',
    facts: openaiFacts,
    modelFacts: [
      // the Responses API alone serves these (CopilotC-Nvim/CopilotChat.nvim#1442)
      [/codex|-pro\b|deep-research/, { api: 'responses' }],
      // with tools, chat completions want an explicit effort of none (crewAIInc/crewAI#6660)
      [/^gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)/, { reasoningEffort: 'none' }],
    ],
    // https://developers.openai.com/api/reference/workload-identity-federation; the audience is the one of
    // https://developers.openai.com/api/docs/guides/workload-identity-federation/github-actions
    exchange: {
      name: 'openai',
      ids: ['identity_provider_id', 'service_account_id'],
      audience: () => 'https://api.openai.com/v1',
      request: (token, ids) => ({
        url: 'https://auth.openai.com/oauth/token',
        json: { ...sendSubject(token), ...ids },
      }),
    },
  },
  {
    // https://ai.google.dev/gemini-api/docs/openai
    name: 'Google',
    provider: 'gcp.gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    keyForm: /^AIza/,
    models: /^gemini-/,
    model: 'gemini-3.8-flash',
  },
  {
    name: 'Google',
    provider: 'gcp.vertex_ai',
    host: /aiplatform\.googleapis\.com$/,
    // https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token and, with a service account,
    // https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
    exchange: {
      name: 'google',
      ids: ['provider', 'service_account?'],
      audience: ({ provider }) => `https://iam.googleapis.com/${provider}`,
      request: (token, { provider }) => ({
        url: 'https://sts.googleapis.com/v1/token',
        json: {
          grantType: oauth.tokenExchange,
          audience: `//iam.googleapis.com/${provider}`,
          scope: cloudScope,
          requestedTokenType: oauth.accessToken,
          subjectToken: token,
          subjectTokenType: oauth.jwt,
        },
      }),
      actAs: (token, { service_account: account }) =>
        account === undefined
          ? undefined
          : {
              url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateAccessToken`,
              headers: { authorization: `Bearer ${token}` },
              json: { scope: [cloudScope] },
            },
    },
  },
  {
    // https://learn.microsoft.com/azure/ai-services/openai/reference: the address holds the name of the resource
    name: 'Azure',
    provider: 'azure.ai.openai',
    host: /\.(?:openai\.azure\.com|cognitiveservices\.azure\.com)$/,
    path: '/openai/v1',
    keyNames: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
    serves: 'any',
    facts: openaiFacts,
    // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow (the third case), with the
    // audience of https://learn.microsoft.com/entra/workload-id/workload-identity-federation-create-trust
    exchange: {
      name: 'azure',
      ids: ['tenant_id', 'client_id', 'scope?'],
      audience: () => 'api://AzureADTokenExchange',
      request: (token, { tenant_id = '', client_id = '', scope }) => ({
        url: `https://login.microsoftonline.com/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
        form: {
          client_id,
          scope: scope ?? 'https://cognitiveservices.azure.com/.default',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: token,
          grant_type: 'client_credentials',
        },
      }),
    },
  },
  {
    name: 'Azure',
    provider: 'azure.ai.inference',
    host: /\.services\.ai\.azure\.com$/,
    path: '/openai/v1',
    facts: openaiFacts,
  },
  {
    // https://console.groq.com/docs/openai and https://console.groq.com/docs/api-reference: max_tokens is deprecated
    name: 'Groq',
    provider: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyNames: ['GROQ_API_KEY'],
    keyForm: /^gsk_/,
    serves: 'any',
    model: 'openai/gpt-oss-120b',
    facts: { tokenLimitKey: 'max_completion_tokens' },
  },
  {
    // https://docs.mistral.ai/api
    name: 'Mistral',
    provider: 'mistral_ai',
    host: /^(?:api|codestral)\.mistral\.ai$/,
    baseUrl: 'https://api.mistral.ai/v1',
    keyNames: ['MISTRAL_API_KEY'],
    models: /^(?:(?:open-)?mi[sx]tral|ministral|magistral|devstral|codestral|pixtral)-/,
    model: 'mistral-medium-latest',
    // editor-code-assistant/eca#231, charmbracelet/crush#1590: unknown fields are 422, ids have nine characters
    facts: {
      refused: new Set(['stream_options', 'reasoning_content', 'reasoning_details']),
      shortIds: true,
    },
  },
  {
    // https://api-docs.deepseek.com/quick_start/pricing
    name: 'DeepSeek',
    provider: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyNames: ['DEEPSEEK_API_KEY'],
    models: /^deepseek-/,
    model: 'deepseek-flash',
  },
  {
    // https://docs.x.ai/docs/api-reference
    name: 'xAI',
    provider: 'x_ai',
    baseUrl: 'https://api.x.ai/v1',
    keyNames: ['XAI_API_KEY'],
    keyForm: /^xai-/,
    models: /^grok-/,
    model: 'grok-4.3',
  },
  {
    // https://docs.perplexity.ai
    name: 'Perplexity',
    provider: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    keyForm: /^pplx-/,
  },
  {
    // https://huggingface.co/docs/inference-providers
    name: 'Hugging Face',
    baseUrl: 'https://router.huggingface.co/v1',
    keyForm: /^hf_/,
    serves: 'prefixed',
  },
  {
    // https://docs.api.nvidia.com
    name: 'NVIDIA',
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyNames: ['NVIDIA_API_KEY'],
    keyForm: /^nvapi-/,
    serves: 'prefixed',
  },
  { name: 'AWS', provider: 'aws.bedrock', host: /^bedrock[\w.-]*\.amazonaws\.com$/ },
  { name: 'Cohere', provider: 'cohere', host: /^api\.cohere\.(?:ai|com)$/ },
  { name: 'IBM', provider: 'ibm.watsonx.ai', host: /\.ml\.cloud\.ibm\.com$/ },
];

/** The host of an address; empty for any other text. */
export const getHost = (baseUrl: string) =>
  URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';

/** The vendor that serves an address; undefined for one that no row names. */
export const findVendor = (address: string) =>
  vendors.find(({ host, baseUrl = '' }) =>
    host === undefined ? getHost(baseUrl) === getHost(address) : host.test(getHost(address)),
  );

/** The name of the provider at an address: that of the conventions, else its host. */
export const nameProvider = (address: string) =>
  findVendor(address)?.provider ?? (getHost(address) || '_OTHER');

/** Headers that a request with this key needs besides `Authorization: Bearer`; none for other keys. */
export const headersOfKey = (key: string): Readonly<Record<string, string>> =>
  key.startsWith('sk-ant-oat') ? { 'anthropic-beta': bearerBeta } : {};

/** The exchanges that are known. */
export const exchanges: readonly TokenExchange[] = [
  anyExchange,
  ...vendors.flatMap(({ exchange }) => exchange ?? []),
];

/** The exchange of a name of the setting `key-exchange`; that of RFC 8693 where none is named. */
export const findExchange = (name: string | undefined) =>
  exchanges.find(each => each.name === name) ?? anyExchange;

const privateHosts: readonly RegExp[] = [
  /(?:^|\.)localhost$|\.(?:local|internal)$/,
  /^(?:127|10)(?:\.\d+){3}$/,
  /^192\.168(?:\.\d+){2}$/,
  /^172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}$/,
  /^\[(?:::1|f[cd][0-9a-f]{2}:.*)\]$/,
];

/** Whether an address is this machine or a private network, whose endpoints need no key. */
export const isPrivateAddress = (address: string) =>
  privateHosts.some(host => host.test(getHost(address)));
