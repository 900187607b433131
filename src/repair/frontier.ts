/** How far a search goes, told by what came of each rank and by no clock: the same for any number of copies. Pure. */

/** What came of trying the candidate at a rank. */
export interface CandidateResult {
  readonly survived: boolean;
  /** True when it ran until its limit, which costs as much as trying many others. */
  readonly late: boolean;
}

/** What a candidate that never ends counts for. */
const lateCost = 8;
export interface Frontier {
  settle(rank: number, tried: CandidateResult): void;
  /** The first rank that is not tried any more, as far as it is known; only ever gets smaller. */
  end(): number;
  /** Cost of what is settled without a gap, and the cost at which the search ends. */
  spent(): { readonly cost: number; readonly max: number };
}

export interface FrontierBounds {
  /** Bounds the cost. */
  readonly max: number;
  /** What is tried at least after the first survivor, in cost. */
  readonly further: number;
  /** How many candidates there are. */
  readonly ranks: number;
}

/** Opens the frontier of a search. */
export function openFrontier({ max, further, ranks }: FrontierBounds): Frontier {
  const waiting = new Map<number, CandidateResult>();
  const state = { settled: 0, cost: 0, max, end: ranks };
  const advance = () => {
    for (let tried = waiting.get(state.settled); tried; tried = waiting.get(state.settled)) {
      waiting.delete(state.settled);
      state.settled += 1;
      state.cost += tried.late ? lateCost : 1;
      if (tried.survived && state.max === max)
        state.max = Math.min(max, Math.max(2 * state.cost, state.cost + further));
      if (state.cost >= state.max) {
        state.end = Math.min(state.end, state.settled);
        return;
      }
    }
  };
  return {
    settle: (rank, tried) => {
      if (rank >= state.end) return;
      waiting.set(rank, tried);
      advance();
    },
    end: () => state.end,
    spent: () => ({ cost: state.cost, max: Math.min(state.max, ranks) }),
  };
}
