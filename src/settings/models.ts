/** Prices of models: a list that ships with Photon, with the date and source of each part, and the person's own. */

/** Price of 1,000,000 tokens. */
export interface ModelPrice {
  readonly input: number;
  /** Of input that came from the endpoint's cache. Without it, as `input`. */
  readonly cached?: number | undefined;
  /** Of input that the endpoint wrote into its cache. Without it, as `input`. */
  readonly cacheWrite?: number | undefined;
  readonly output: number;
}

/** A price, and where it is from: `settings`, or the date of the part of the list. */
export interface KnownPrice extends ModelPrice {
  readonly from: string;
}

interface PriceList {
  /** Day of the latest page that quotes the source. */
  readonly date: string;
  readonly source: string;
  /** In USD: input, cached input, cache write, output. Null: as input. */
  readonly models: Readonly<
    Record<string, readonly [number, number | null, number | null, number]>
  >;
}

/** The standard rates for prompts of usual length. A rate that varies within a day has its highest value. */
export const priceLists: readonly PriceList[] = [
  {
    date: '2026-10-27',
    source: 'https://developers.openai.com/api/docs/pricing',
    models: {
      'gpt-6.1-sol': [2, 0.1, 2.5, 10],
      'gpt-6.1-terra': [1, 0.05, 1.25, 5],
      'gpt-6-astra': [10, 1, null, 50],
      'gpt-6-sol': [2, 0.2, 2.5, 10],
      'gpt-6-luna': [0.1, 0.01, 0.125, 0.5],
      // without the promotion, which was announced until 2026-11-21
      'gpt-5.6-sol': [5, 0.5, null, 30],
      'gpt-5.6-terra': [2, 0.2, null, 12],
      'gpt-5.6-luna': [0.2, 0.02, null, 1.2],
      'gpt-5.5': [5, 0.5, null, 30],
      'gpt-5.5-pro': [30, null, null, 180],
      'gpt-5.4': [2.5, 0.25, null, 15],
      'gpt-5.4-mini': [0.75, 0.075, null, 4.5],
      'gpt-5.4-nano': [0.2, 0.02, null, 1.25],
      'gpt-5.4-pro': [30, null, null, 180],
    },
  },
  {
    date: '2026-10-16',
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    models: {
      'claude-fable-5-1': [10, 0.25, 12.5, 50],
      'claude-fable-5': [10, 1, 12.5, 50],
      'claude-opus-5-5': [4, 0.2, 5, 20],
      'claude-opus-5': [5, 0.5, 6.25, 25],
      'claude-opus-4-8': [5, 0.5, 6.25, 25],
      'claude-opus-4-7': [5, 0.5, 6.25, 25],
      'claude-opus-4-6': [5, 0.5, 6.25, 25],
      'claude-opus-4-5': [5, 0.5, 6.25, 25],
      'claude-sonnet-5-5': [2, 0.1, 2.5, 10],
      'claude-sonnet-5': [2, 0.2, 2.5, 10],
      'claude-sonnet-4-6': [3, 0.3, 3.75, 15],
      'claude-sonnet-4-5': [3, 0.3, 3.75, 15],
      'claude-haiku-4-5': [1, 0.1, 1.25, 5],
    },
  },
  {
    date: '2026-10-27',
    source: 'https://api-docs.deepseek.com/quick_start/pricing',
    models: {
      'deepseek-flash': [0.3, 0.006, null, 1.2],
      'deepseek-v4-flash': [0.3, 0.006, null, 1.2],
      'deepseek-v4-pro': [1.32, 0.044, null, 3.96],
    },
  },
  {
    date: '2026-07-04',
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    models: {
      'gemini-3.5-flash': [1.5, null, null, 9],
      'gemini-3-flash-preview': [0.5, 0.05, null, 3],
      'gemini-2.5-flash': [0.3, null, null, 2.5],
      'gemini-2.5-flash-lite': [0.1, null, null, 0.4],
    },
  },
];

/** What may follow the name of a model: the date of a version, or `latest`. */
const version = /-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

/** The price of a model; null if neither the person's prices nor the list has one. */
export function findPrice(
  model: string,
  own: Readonly<Record<string, ModelPrice>> | null,
): KnownPrice | null {
  if (own !== null && Object.hasOwn(own, model))
    return { ...(own[model] as ModelPrice), from: 'settings' };
  // OpenRouter and other gateways put the vendor before the name
  const name = model.replace(/^(openai|anthropic|google|deepseek)\//, '').replace(version, '');
  for (const { date, models } of priceLists) {
    const row = Object.hasOwn(models, name) ? models[name] : undefined;
    if (row === undefined) continue;
    const [input, cached, cacheWrite, output] = row;
    return {
      input,
      cached: cached ?? undefined,
      cacheWrite: cacheWrite ?? undefined,
      output,
      from: date,
    };
  }
  return null;
}
