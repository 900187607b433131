/** Providers that are known by their address: what a run knows of one before its first request. Pure. */
import { findVendorFacts, type ImageChoice, takesImages } from '../settings/models.ts';
import { findVendorAt, getHost } from '../settings/vendors.ts';
import { type ApiName, type EndpointFacts, firstFacts } from './apis/api.ts';

/** One provider. What it refuses beyond this is learned, as it is at an address that no entry names. */
interface Provider {
  /** Its name in the GenAI conventions of OpenTelemetry. */
  readonly name: string;
  /** Matches the host of the base URL. */
  readonly host: RegExp;
  readonly facts?: Partial<EndpointFacts>;
  /** True where the models are the vendor's own, so that what the table of models knows of them holds. */
  readonly isVendor?: true;
}

// https://platform.openai.com/docs/api-reference/chat: max_tokens is deprecated, models that reason refuse it
const openaiFields = { tokenLimitKey: 'max_completion_tokens', cacheKey: true } as const;

/** Those of which more is known than `src/settings/vendors.ts` has, or that it does not name; the first that matches holds. */
const providers: readonly Provider[] = [
  { name: 'openai', host: /^api\.openai\.com$/, facts: openaiFields, isVendor: true },
  { name: 'openai', host: /\.api\.openai\.com$/, facts: openaiFields },
  {
    // https://learn.microsoft.com/azure/ai-services/openai/reference: the same models under other addresses
    name: 'azure.ai.openai',
    host: /\.(openai\.azure\.com|cognitiveservices\.azure\.com)$/,
    facts: openaiFields,
  },
  { name: 'azure.ai.inference', host: /\.services\.ai\.azure\.com$/, facts: openaiFields },
  {
    // https://platform.claude.com/docs/en/api/messages
    name: 'anthropic',
    host: /^api\.anthropic\.com$/,
    facts: { api: 'messages' },
  },
  {
    // editor-code-assistant/eca#231, charmbracelet/crush#1590: unknown fields are 422, ids have nine characters
    name: 'mistral_ai',
    host: /^(api|codestral)\.mistral\.ai$/,
    facts: {
      refused: new Set(['stream_options', 'reasoning_content', 'reasoning_details']),
      shortIds: true,
    },
  },
  {
    // https://console.groq.com/docs/api-reference: max_tokens is deprecated
    name: 'groq',
    host: /^api\.groq\.com$/,
    facts: { tokenLimitKey: 'max_completion_tokens' },
  },
  { name: 'aws.bedrock', host: /^bedrock[\w.-]*\.amazonaws\.com$/ },
  { name: 'gcp.vertex_ai', host: /aiplatform\.googleapis\.com$/ },
  { name: 'cohere', host: /^api\.cohere\.(ai|com)$/ },
  { name: 'ibm.watsonx.ai', host: /\.ml\.cloud\.ibm\.com$/ },
];

const findProvider = (baseUrl: string) => providers.find(p => p.host.test(getHost(baseUrl)));

/** The name of the provider at an address: that of the conventions, else its host. */
export function providerName(baseUrl: string): string {
  const known = findProvider(baseUrl)?.name ?? findVendorAt(baseUrl)?.provider;
  return known ?? (getHost(baseUrl) || '_OTHER');
}

/** What a person set about an endpoint. */
export interface EndpointChoice {
  readonly baseUrl: string;
  readonly model: string;
  readonly api?: ApiName | 'auto';
  readonly reasoningEffort?: string;
  readonly extraBody?: Readonly<Record<string, unknown>>;
  readonly images?: ImageChoice;
}

/** The facts before the first request: what a person set comes before the tables of providers and models. */
export function startFacts(choice: EndpointChoice): EndpointFacts {
  const { baseUrl, model, api = 'auto', extraBody, images = 'off' } = choice;
  const provider = findProvider(baseUrl);
  const vendorFacts = provider?.isVendor ? findVendorFacts(model) : undefined;
  const known = {
    ...firstFacts,
    ...provider?.facts,
    ...vendorFacts,
  };
  return {
    ...known,
    api: api === 'auto' ? known.api : api,
    reasoningEffort: choice.reasoningEffort ?? known.reasoningEffort,
    images: takesImages(model, images),
    extraBody: extraBody ?? {},
  };
}

/** Whether an address is this machine or a private network, whose endpoints need no key. */
export function isPrivateAddress(baseUrl: string): boolean {
  const host = getHost(baseUrl).replace(/^\[|\]$/g, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.endsWith('.local') ||
    host.endsWith('.internal') ||
    /^(127|10)\.\d+\.\d+\.\d+$/.test(host) ||
    /^192\.168\.\d+\.\d+$/.test(host) ||
    /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(host) ||
    host === '::1' ||
    /^f[cd][0-9a-f]{2}:/i.test(host)
  );
}
