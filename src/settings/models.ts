/** What is known of models: window, price and sight. Pure. */

/** Price of 1,000,000 tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Of input that came from the endpoint's cache. Without it, as `input`. */
  readonly cached?: number;
  /** Of input that the endpoint wrote into its cache. Without it, as `input`. */
  readonly cacheWrite?: number;
  readonly output: number;
}

/** A price, and where it is from: `settings`, or the date of the part of the list. */
export interface KnownPrice extends ModelPrice {
  readonly from: string;
}

/** What is known of the models of a name. */
interface ModelFacts {
  /** A whole name, or what matches the names of a family; in lower case, and without the prefix of a router. */
  readonly name: string | RegExp;
  /**
   * The context window in tokens. Where a longer prompt costs more for each token, it ends there, so that the price
   * holds.
   */
  readonly window?: number;
  /**
   * True where the vendor documents image input. Others may see as well, but many text models ignore images without
   * an error, and the run would work without what it seems to have seen.
   */
  readonly sees?: true;
  /** In USD: input, cached input, cache write, output. Undefined: as input. The standard rate, and its highest value within a day. */
  readonly price?: readonly [number, number | undefined, number | undefined, number];
}

/** Where a fact is from, and the day of the latest page that quotes it. */
interface Source {
  readonly date: string;
  readonly source: string;
}

interface VendorModels {
  readonly pricesFrom?: Source;
  /** Of the windows, and of what the models see. */
  readonly factsFrom: Source;
  readonly models: readonly ModelFacts[];
}

/** The models by vendor. The first entry that matches and states a thing holds. */
export const knownModels: readonly VendorModels[] = [
  // OpenAI
  {
    pricesFrom: { date: '2026-11-18', source: 'https://developers.openai.com/api/docs/pricing' },
    factsFrom: { date: '2026-10-28', source: 'https://developers.openai.com/api/docs/models' },
    models: [
      // https://platform.openai.com/docs/models and https://platform.openai.com/docs/guides/images-vision
      // gpt-5.4 and later take 922,000 tokens and a reply, but above 272,000 each token costs twice as much
      { name: /^gpt-[5-9](?:$|[.-])/, window: 272_000, sees: true },
      { name: /^gpt-4\.1/, window: 1_047_576, sees: true },
      { name: /^gpt-4o|^gpt-4-turbo/, window: 128_000, sees: true },
      { name: /^gpt-3\.5/, window: 16_385 },
      { name: /^o[134](?:$|-)/, window: 200_000 },
      { name: /^(?:gpt-[6-9]|o[1-9](?!-mini\b)|o4-mini|chatgpt-4o|codex-mini)/, sees: true },
      // above 272,000 tokens, each token costs twice as much
      { name: 'gpt-6.2-astra', price: [8, 0.4, 10, 40] },
      { name: 'gpt-6.2-sol', price: [2, 0.1, 2.5, 10] },
      { name: 'gpt-6.1-sol', price: [2, 0.1, 2.5, 10] },
      { name: 'gpt-6.1-terra', price: [1, 0.05, 1.25, 5] },
      { name: 'gpt-6-astra', price: [10, 1, 12.5, 50] },
      { name: 'gpt-6-sol', price: [2, 0.2, 2.5, 10] },
      { name: 'gpt-6-luna', price: [0.1, 0.01, 0.125, 0.5] },
      // without the promotion, which was announced until 2026-11-21
      { name: 'gpt-5.6-sol', price: [5, 0.5, undefined, 30] },
      { name: 'gpt-5.6-terra', price: [2, 0.2, undefined, 12] },
      { name: 'gpt-5.6-luna', price: [0.2, 0.02, undefined, 1.2] },
      { name: 'gpt-5.5', price: [5, 0.5, undefined, 30] },
      { name: 'gpt-5.5-pro', price: [30, undefined, undefined, 180] },
      { name: 'gpt-5.4', price: [2.5, 0.25, undefined, 15] },
      { name: 'gpt-5.4-mini', price: [0.75, 0.075, undefined, 4.5] },
      { name: 'gpt-5.4-nano', price: [0.2, 0.02, undefined, 1.25] },
      { name: 'gpt-5.4-pro', price: [30, undefined, undefined, 180] },
      { name: 'gpt-5.2', price: [1.75, 0.175, undefined, 14] },
      { name: 'gpt-5.1', price: [1.25, 0.125, undefined, 10] },
      { name: 'gpt-5', price: [1.25, 0.125, undefined, 10] },
      { name: 'gpt-5-mini', price: [0.25, 0.025, undefined, 2] },
      { name: 'gpt-5-nano', price: [0.05, 0.005, undefined, 0.4] },
    ],
  },
  // Anthropic
  {
    pricesFrom: {
      date: '2026-11-10',
      source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    },
    factsFrom: { date: '2026-10-16', source: 'https://platform.claude.com/docs/en/models' },
    models: [
      // it takes 1,000,000 tokens, but above 100,000 each token costs five times as much
      { name: /^claude-haiku-5-5/, window: 100_000 },
      { name: /^claude-(?:fable|mythos|opus-(?:4-8|5)|sonnet-5)/, window: 1_000_000 },
      { name: /^claude/, window: 200_000 },
      // https://platform.claude.com/docs/en/build-with-claude/vision: every model from Claude 3 on
      { name: /^claude-(?:3|(?:opus|sonnet|haiku|fable|mythos)-\d|[4-9])/, sees: true },
      { name: 'claude-fable-5-2', price: [8, 0.2, 10, 40] },
      { name: 'claude-fable-5-1', price: [10, 0.25, 12.5, 50] },
      { name: 'claude-fable-5', price: [10, 1, 12.5, 50] },
      { name: 'claude-opus-5-5', price: [4, 0.2, 5, 20] },
      { name: 'claude-opus-5', price: [5, 0.5, 6.25, 25] },
      { name: 'claude-opus-4-8', price: [5, 0.5, 6.25, 25] },
      { name: 'claude-opus-4-7', price: [5, 0.5, 6.25, 25] },
      { name: 'claude-opus-4-6', price: [5, 0.5, 6.25, 25] },
      { name: 'claude-opus-4-5', price: [5, 0.5, 6.25, 25] },
      { name: 'claude-sonnet-5-5', price: [2, 0.1, 2.5, 10] },
      { name: 'claude-sonnet-5', price: [2, 0.2, 2.5, 10] },
      { name: 'claude-sonnet-4-6', price: [3, 0.3, 3.75, 15] },
      { name: 'claude-sonnet-4-5', price: [3, 0.3, 3.75, 15] },
      // of prompts up to 100,000 tokens
      { name: 'claude-haiku-5-5', price: [0.1, 0.01, 0.125, 0.5] },
      { name: 'claude-haiku-4-5', price: [1, 0.1, 1.25, 5] },
    ],
  },
  // DeepSeek
  {
    pricesFrom: { date: '2026-10-27', source: 'https://api-docs.deepseek.com/quick_start/pricing' },
    factsFrom: { date: '2026-10-27', source: 'https://api-docs.deepseek.com/quick_start/pricing' },
    models: [
      // deepseek-v4-flash is served by the same model
      { name: /^deepseek-(?:flash|v4-flash)/, window: 1_000_000, sees: true },
      { name: /^deepseek-v4/, window: 1_000_000 },
      { name: /^deepseek-(?:chat|reasoner)/, window: 128_000 },
      { name: 'deepseek-flash', price: [0.3, 0.006, undefined, 1.2] },
      { name: 'deepseek-v4-flash', price: [0.3, 0.006, undefined, 1.2] },
      { name: 'deepseek-v4-pro', price: [1.32, 0.044, undefined, 3.96] },
    ],
  },
  // Google
  {
    pricesFrom: { date: '2026-10-07', source: 'https://ai.google.dev/gemini-api/docs/pricing' },
    factsFrom: { date: '2026-10-08', source: 'https://ai.google.dev/gemini-api/docs/models' },
    models: [
      // above 200,000 tokens, each token costs more
      { name: /^gemini-(?:2\.5|3\.1)-pro/, window: 200_000 },
      { name: /^gemini-[2-4]/, window: 1_048_576 },
      { name: /^gemini-/, sees: true },
      // without the promotion, which was announced until 2026-12-31
      { name: 'gemini-3.8-flash', price: [1.5, undefined, undefined, 7.5] },
      { name: 'gemini-3.5-flash-lite', price: [0.3, undefined, undefined, 2.5] },
      { name: 'gemini-3.1-pro-preview', price: [2, undefined, undefined, 12] },
      { name: 'gemini-3.5-flash', price: [1.5, undefined, undefined, 9] },
      { name: 'gemini-3-flash-preview', price: [0.5, 0.05, undefined, 3] },
      { name: 'gemini-2.5-flash', price: [0.3, undefined, undefined, 2.5] },
      { name: 'gemini-2.5-flash-lite', price: [0.1, undefined, undefined, 0.4] },
    ],
  },
  // xAI
  {
    // as Zoo-Code-Org/Zoo-Code#866 and https://docs.apiyi.com/en/models/grok-4-3.md quote it
    pricesFrom: { date: '2026-09-22', source: 'https://docs.x.ai/developers/models' },
    factsFrom: { date: '2026-09-22', source: 'https://docs.x.ai/developers/models' },
    models: [
      // grok-4.5 to 4.7 take 500,000 tokens and grok-4.3 1,000,000, but above 200,000 each token costs twice as much
      { name: /^grok-4\.[3567]/, window: 200_000, sees: true },
      { name: 'grok-4.7', price: [2, 0.5, undefined, 6] },
      { name: 'grok-4.6', price: [2, 0.5, undefined, 6] },
      { name: 'grok-4.5', price: [2, 0.5, undefined, 6] },
      { name: 'grok-4.3', price: [1.25, 0.2, undefined, 2.5] },
    ],
  },
  // Mistral
  {
    // as braintrustdata/braintrust-proxy#802 quotes it
    pricesFrom: { date: '2026-05-22', source: 'https://mistral.ai/pricing' },
    factsFrom: { date: '2026-05-22', source: 'https://docs.mistral.ai/models/overview' },
    models: [
      { name: /^mistral-medium-(?:latest|3[.-]5)/, window: 256_000 },
      { name: 'mistral-medium', price: [1.5, undefined, undefined, 7.5] }, // mistral-medium-latest
      { name: 'mistral-medium-3.5', price: [1.5, undefined, undefined, 7.5] },
      { name: 'mistral-medium-3-5', price: [1.5, undefined, undefined, 7.5] },
    ],
  },
  // others
  {
    factsFrom: { date: '2026-11-27', source: 'the cards of the models' },
    models: [
      // https://console.groq.com/docs/models
      { name: /^gpt-oss/, window: 131_072 },
      // https://inference.readthedocs.io/en/latest/models/builtin/llm/glm-5.3.html; 5.3 keeps the window of 5.2
      { name: /^glm-5\.[23]/, window: 1_048_576 },
      // https://runware.ai/docs/models/moonshotai-kimi-k3.md
      { name: /^kimi-k3/, window: 1_000_000, sees: true },
      // https://docs.mistral.ai/capabilities/vision/
      { name: /^(?:pixtral|mistral-(?:medium|small)-(?:latest|2[5-9]))/, sees: true },
      // the cards of open models
      {
        name: /^(?:gemma-?3|gemma-?4|llama-?4|llama-?3\.2-(?:11b|90b)|qwen[\w.-]*-?vl|internvl|llava|minicpm-v)/,
        sees: true,
      },
    ],
  },
];

const allModels = knownModels.flatMap(({ models }) => models);

/** The first statement of a field about a model, or undefined. */
function find<K extends keyof ModelFacts>(model: string, field: K): ModelFacts[K] | undefined {
  const plain = model.toLowerCase().split('/').at(-1) ?? '';
  const isMatch = ({ name }: ModelFacts) => typeof name === 'object' && name.test(plain);
  return allModels.find(entry => entry[field] !== undefined && isMatch(entry))?.[field];
}

/** The context window of a model in tokens; undefined when it is not known. The name may have the prefix of a router (`openai/gpt-5`). */
export const findWindow = (model: string): number | undefined => find(model, 'window');

export type ImageChoice = 'auto' | 'on' | 'off';

/** Whether images are sent to a model, before its endpoint refuses one. */
export function takesImages(model: string, choice: ImageChoice): boolean {
  return choice === 'on' || (choice === 'auto' && find(model, 'sees') === true);
}

/** What may follow the name of a model: the date of a version, or `latest`. */
const version = /-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** The price of a model; undefined if neither the person's prices nor the list has one. */
export function findPrice(
  model: string,
  own: Readonly<Record<string, ModelPrice>> | undefined,
): KnownPrice | undefined {
  if (own !== undefined && Object.hasOwn(own, model))
    return { ...(own[model] as ModelPrice), from: 'settings' };
  // OpenRouter and other gateways put the vendor before the name
  const name = model.replace(/^(openai|anthropic|google|deepseek)\//, '').replace(version, '');
  for (const { pricesFrom, models } of knownModels) {
    const price = models.find(entry => entry.name === name)?.price;
    if (price === undefined || pricesFrom === undefined) continue;
    const [input, cached, cacheWrite, output] = price;
    return { input, cached, cacheWrite, output, from: pricesFrom.date };
  }
  return undefined;
}
