/** The budget of a run. Each limit stops the run before the request that would exceed it. Pure. */
import { PhotonError } from '../../base/codes.ts';
import type { ModelUsage } from '../../base/outcome.ts';
import { sum } from '../../base/plural.ts';
import type { TokenUsage } from '../../model/turn.ts';
import type { ModelPrice } from '../../settings/models.ts';
import { estimateTokens, leastReply } from './window.ts';

export interface Budget {
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly maxCost: number | undefined;
  /** Prices of the models that may reply, by name. */
  readonly modelPrices: ModelPrices;
  readonly maxOutputTokens: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** What one model used. */
export type ModelSpent = Omit<ModelUsage, 'cost' | 'priceFrom'>;

export interface Spent {
  readonly rounds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The same for each model, in the order in which they took part. */
  readonly models: readonly ModelSpent[];
  /** Bytes and input tokens of the last request, which give the bytes per token of this model. */
  readonly lastBytes: number;
  readonly lastInputTokens: number;
}

export const nothingSpent: Spent = {
  rounds: 0,
  inputTokens: 0,
  outputTokens: 0,
  models: [],
  lastBytes: 0,
  lastInputTokens: 0,
};

/**
 * The token limit of the next reply.
 * @throws PhotonError `BUDGET_ROUNDS`, `BUDGET_TIME`, `BUDGET_TOKENS`, `BUDGET_COST`.
 */
export function allowRequest(
  budget: Budget,
  spent: Spent,
  next: { bytes: number; now: number },
): number {
  if (spent.rounds >= budget.maxRounds)
    throw new PhotonError('BUDGET_ROUNDS', `The run used its ${budget.maxRounds} rounds.`);
  if (next.now >= budget.deadline) throw new PhotonError('BUDGET_TIME');
  const input = estimateTokens(next.bytes, spent);
  const tokens = budget.maxTokens - spent.inputTokens - spent.outputTokens - input;
  if (tokens < leastReply) {
    const used = spent.inputTokens + spent.outputTokens;
    throw new PhotonError(
      'BUDGET_TOKENS',
      `${used} of ${budget.maxTokens} tokens are used; the next request needs about ${input} more.`,
    );
  }
  const reply = Math.min(budget.maxOutputTokens, tokens, affordableReply(budget, spent, input));
  return Math.floor(reply);
}

/** A request may end at any of the models, so the dearest price counts, and nothing as cached. */
function affordableReply(budget: Budget, spent: Spent, input: number): number {
  const prices = Object.values(budget.modelPrices);
  if (budget.maxCost === undefined || prices.length === 0) return Number.POSITIVE_INFINITY;
  const inputPrice = Math.max(...prices.map(p => Math.max(p.input, p.cacheWrite ?? 0)));
  const outputPrice = Math.max(...prices.map(p => p.output));
  const left =
    budget.maxCost - (computeCost(budget.modelPrices, spent) ?? 0) - (input * inputPrice) / 1e6;
  const reply = outputPrice === 0 ? Number.POSITIVE_INFINITY : (left * 1e6) / outputPrice;
  if (left < 0 || reply < leastReply)
    throw new PhotonError(
      'BUDGET_COST',
      `The next request would exceed max-cost (${budget.maxCost}).`,
    );
  return reply;
}

/** The tokens of a reply, and the model that made it. */
interface ReplyUsage {
  readonly usage: TokenUsage;
  readonly model: string;
  /** True for one that was thrown away: it is no round. */
  readonly isDiscarded?: boolean;
}

/** The sum after a reply that was thrown away. It is no round, and its counts may be estimates. */
export function addDiscarded(spent: Spent, reply: ReplyUsage): Spent {
  const { lastBytes, lastInputTokens } = spent;
  return { ...addUsage(spent, { ...reply, isDiscarded: true }, 0), lastBytes, lastInputTokens };
}

/** The sum after one more request. */
export function addUsage(spent: Spent, reply: ReplyUsage, bytes: number): Spent {
  const { usage, model } = reply;
  const found = spent.models.find(m => m.model === model);
  const used = addTo(found ?? { ...noTokens, model }, reply);
  return {
    rounds: spent.rounds + countRounds(reply),
    inputTokens: spent.inputTokens + usage.inputTokens,
    outputTokens: spent.outputTokens + usage.outputTokens,
    models:
      found === undefined
        ? [...spent.models, used]
        : spent.models.map(m => (m === found ? used : m)),
    lastBytes: bytes,
    lastInputTokens: usage.inputTokens,
  };
}

const noTokens = {
  rounds: 0,
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
};

const countRounds = ({ isDiscarded }: ReplyUsage) => (isDiscarded === true ? 0 : 1);

function addTo(sum: ModelSpent, reply: ReplyUsage): ModelSpent {
  const { usage } = reply;
  return {
    model: sum.model,
    rounds: sum.rounds + countRounds(reply),
    inputTokens: sum.inputTokens + usage.inputTokens,
    cachedTokens: sum.cachedTokens + (usage.cachedTokens ?? 0),
    cacheWriteTokens: sum.cacheWriteTokens + (usage.cacheWriteTokens ?? 0),
    outputTokens: sum.outputTokens + usage.outputTokens,
  };
}

/** Cost of one model by its price; undefined without one. */
export function costOfModel(prices: ModelPrices, used: ModelSpent): number | undefined {
  const price = Object.hasOwn(prices, used.model) ? prices[used.model] : undefined;
  if (price === undefined) return undefined;
  const { input, cached = input, cacheWrite = input, output } = price;
  const plain = used.inputTokens - used.cachedTokens - used.cacheWriteTokens;
  const parts = [
    plain * input,
    used.cachedTokens * cached,
    used.cacheWriteTokens * cacheWrite,
    used.outputTokens * output,
  ];
  return sum(parts) / 1e6;
}

/** Cost of one reply; undefined when its model has no price. */
export function costOfReply(prices: ModelPrices, reply: ReplyUsage): number | undefined {
  return costOfModel(prices, addTo({ ...noTokens, model: reply.model }, reply));
}

/** Cost of all models; undefined when one of them, or the whole run, has no price. */
export function computeCost(
  prices: ModelPrices,
  { models }: Pick<Spent, 'models'>,
): number | undefined {
  if (Object.keys(prices).length === 0) return undefined;
  return models.reduce<number | undefined>((sum, used) => {
    const cost = costOfModel(prices, used);
    return sum === undefined || cost === undefined ? undefined : sum + cost;
  }, 0);
}

/** Prices of a cache as parts of the price of input. */
export interface CachePrices {
  readonly read: number;
  readonly write: number;
}

/** Those of the models that may reply, each the one that favours an unchanged prefix most; common ones without any. */
export function getCachePrices(prices: ModelPrices): CachePrices {
  const known = Object.values(prices).filter(p => p.input > 0);
  if (known.length === 0) return { read: 0.1, write: 1.25 };
  return {
    read: Math.min(...known.map(p => (p.cached ?? p.input) / p.input)),
    write: Math.max(...known.map(p => (p.cacheWrite ?? p.input) / p.input)),
  };
}
