/** Providers that are known by their address: what a run knows of one before its first request. Pure. */
import { type EndpointFacts, firstFacts, type WireName } from './endpoint-facts.ts';
import { type ImageChoice, takesImages } from './vision.ts';

/** One provider. What it refuses beyond this is learned, as it is at an address that no entry names. */
interface Provider {
  readonly name: string;
  /** Matches the host of the base URL. */
  readonly host: RegExp;
  /** Restricts the entry to models whose name matches. */
  readonly model?: RegExp;
  readonly facts: Partial<EndpointFacts>;
}

const openaiFields = { tokenLimitKey: 'max_completion_tokens', cacheKey: true } as const;

/** The first entry that matches holds, so an entry for some models stands before the one for all. */
const providers: readonly Provider[] = [
  {
    // CopilotC-Nvim/CopilotChat.nvim#1442: codex models are served by the Responses API alone
    name: 'OpenAI, Responses',
    host: /^api\.openai\.com$/,
    model: /codex|-pro\b|deep-research/,
    facts: { ...openaiFields, wire: 'responses' },
  },
  {
    // crewAIInc/crewAI#6660: with tools, chat completions want an explicit effort of none
    name: 'OpenAI, gpt-5.6 and later',
    host: /^api\.openai\.com$/,
    model: /^gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)/,
    facts: { ...openaiFields, reasoningEffort: 'none' },
  },
  {
    // https://platform.openai.com/docs/api-reference/chat: max_tokens is deprecated, models that reason refuse it
    name: 'OpenAI',
    host: /(^|\.)api\.openai\.com$/,
    facts: openaiFields,
  },
  {
    // https://learn.microsoft.com/azure/ai-services/openai/reference: the same models under other addresses
    name: 'Azure',
    host: /\.(openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/,
    facts: openaiFields,
  },
  {
    // https://platform.claude.com/docs/en/api/messages
    name: 'Anthropic',
    host: /^api\.anthropic\.com$/,
    facts: { wire: 'messages' },
  },
  {
    // editor-code-assistant/eca#231, charmbracelet/crush#1590: unknown fields are 422, ids have nine characters
    name: 'Mistral',
    host: /^(api|codestral)\.mistral\.ai$/,
    facts: { streamOptions: false, shortIds: true, echoReasoning: false },
  },
  {
    // https://console.groq.com/docs/api-reference: max_tokens is deprecated
    name: 'Groq',
    host: /^api\.groq\.com$/,
    facts: { tokenLimitKey: 'max_completion_tokens' },
  },
];

function factsOfProvider(baseUrl: string, model: string): Partial<EndpointFacts> {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const known = providers.find(
    p => p.host.test(host) && (p.model === undefined || p.model.test(model)),
  );
  return known?.facts ?? {};
}

/** Hosts of the providers that the GenAI conventions of OpenTelemetry have a name for. */
const providerNames: readonly (readonly [name: string, host: RegExp])[] = [
  ['openai', /(^|\.)api\.openai\.com$/],
  ['azure.ai.openai', /\.(openai\.azure\.com|cognitiveservices\.azure\.com)$/],
  ['azure.ai.inference', /\.services\.ai\.azure\.com$/],
  ['anthropic', /^api\.anthropic\.com$/],
  ['aws.bedrock', /^bedrock[\w.-]*\.amazonaws\.com$/],
  ['gcp.gemini', /^generativelanguage\.googleapis\.com$/],
  ['gcp.vertex_ai', /aiplatform\.googleapis\.com$/],
  ['mistral_ai', /^(api|codestral)\.mistral\.ai$/],
  ['groq', /^api\.groq\.com$/],
  ['deepseek', /^api\.deepseek\.com$/],
  ['x_ai', /^api\.x\.ai$/],
  ['cohere', /^api\.cohere\.(ai|com)$/],
  ['perplexity', /^api\.perplexity\.ai$/],
  ['ibm.watsonx.ai', /\.ml\.cloud\.ibm\.com$/],
];

/** The name of the provider at an address: that of the conventions, else its host. */
export function providerName(baseUrl: string): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return providerNames.find(([, known]) => known.test(host))?.[0] ?? (host || '_OTHER');
}

/** What a person set about an endpoint. */
export interface EndpointChoice {
  readonly baseUrl: string;
  readonly model: string;
  readonly api?: WireName | 'auto';
  readonly reasoningEffort?: string | null;
  readonly extraBody?: Readonly<Record<string, unknown>> | null;
  readonly images?: ImageChoice;
}

/** The facts before the first request: what a person set comes before the table of providers. */
export function startFacts(choice: EndpointChoice): EndpointFacts {
  const {
    baseUrl,
    model,
    api = 'auto',
    reasoningEffort = null,
    extraBody,
    images = 'off',
  } = choice;
  const known = { ...firstFacts, ...factsOfProvider(baseUrl, model) };
  return {
    ...known,
    wire: api === 'auto' ? known.wire : api,
    reasoningEffort: reasoningEffort ?? known.reasoningEffort,
    images: takesImages(model, images),
    extraBody: extraBody ?? {},
  };
}
