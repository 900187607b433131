/** The budget of a run. Each limit stops the run before the request that would exceed it. Pure. */
import { PhotonError } from '../../codes.ts';
import type { TokenUsage } from '../../model/turn.ts';

export interface Budget {
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly maxCost: number | null;
  /** Per 1,000,000 tokens. */
  readonly price: { readonly input: number; readonly output: number } | null;
  readonly maxOutputTokens: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export interface Spent {
  readonly rounds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Bytes and input tokens of the last request, which give the bytes per token of this model. */
  readonly lastBytes: number;
  readonly lastInputTokens: number;
}

export const nothingSpent: Spent = {
  rounds: 0,
  inputTokens: 0,
  outputTokens: 0,
  lastBytes: 0,
  lastInputTokens: 0,
};

/** Minimum tokens of a reply that make a request worthwhile. */
const leastReply = 256;

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
  const input = estimateTokens(spent, next.bytes);
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

/** Estimated tokens of a request: by the ratio of the last request, or three bytes for each token at first. */
function estimateTokens(spent: Spent, bytes: number): number {
  const bytesPerToken = spent.lastInputTokens > 0 ? spent.lastBytes / spent.lastInputTokens : 3;
  return Math.ceil(bytes / Math.max(1, bytesPerToken));
}

function affordableReply(budget: Budget, spent: Spent, input: number): number {
  if (budget.maxCost === null || budget.price === null) return Number.POSITIVE_INFINITY;
  const left =
    budget.maxCost - (costOf(budget.price, spent) ?? 0) - (input * budget.price.input) / 1e6;
  const reply =
    budget.price.output === 0 ? Number.POSITIVE_INFINITY : (left * 1e6) / budget.price.output;
  if (left < 0 || reply < leastReply)
    throw new PhotonError(
      'BUDGET_COST',
      `The next request would exceed max-cost (${budget.maxCost}).`,
    );
  return reply;
}

/** The sum after one more request. */
export function addUsage(spent: Spent, usage: TokenUsage, bytes: number): Spent {
  return {
    rounds: spent.rounds + 1,
    inputTokens: spent.inputTokens + usage.inputTokens,
    outputTokens: spent.outputTokens + usage.outputTokens,
    lastBytes: bytes,
    lastInputTokens: usage.inputTokens,
  };
}

/** Cost by the price list; undefined when the model has no price. */
export function costOf(
  price: Budget['price'],
  spent: Pick<Spent, 'inputTokens' | 'outputTokens'>,
): number | undefined {
  if (price === null) return undefined;
  return (spent.inputTokens * price.input + spent.outputTokens * price.output) / 1e6;
}
