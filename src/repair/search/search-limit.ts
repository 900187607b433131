/** Decides how far a search goes, by the result of each rank and not by a clock, so that the number of copies does not matter. Pure. */

/** The result of the candidate at a rank. */
export interface CandidateResult {
  readonly survived: boolean;
  /** How likely it was before it was tried. */
  readonly score: number;
  /** True if it ran until its limit, which takes as long as many other candidates. */
  readonly late: boolean;
}

/** The cost to spend in all, as a multiple of the cost of the first survivor, if this is more than the minimum. */
const longer = 1.25;
/** The cost of a candidate that never ends, in ordinary candidates. */
const lateCost = 20;
/** The share of the score of another edit that one needs to be about as likely. */
const likelyShare = 0.5;
/** Number of candidates in a row that are less likely, after which no alternative to a survivor is expected. */
const unlikely = 50;

export interface SearchLimit {
  settle(rank: number, tried: CandidateResult): void;
  /** The first rank that is not tried any more, as far as it is known. It never grows. */
  end(): number;
  /** The cost of all ranks settled without a gap, and the cost at which the search ends. */
  spent(): { readonly cost: number; readonly max: number };
}

interface SearchLimitBounds {
  /** Maximum cost. */
  readonly max: number;
  /** Minimum cost to spend after the first survivor. */
  readonly further: number;
  /** Number of candidates. */
  readonly ranks: number;
}

/** Opens the limit of a search. */
export function openSearchLimit({ max, further, ranks }: SearchLimitBounds): SearchLimit {
  const waiting = new Map<number, CandidateResult>();
  const state = { settled: 0, cost: 0, max, end: ranks, likely: 0, below: 0 };
  const advance = () => {
    for (let tried = waiting.get(state.settled); tried; tried = waiting.get(state.settled)) {
      waiting.delete(state.settled);
      state.settled += 1;
      state.cost += tried.late ? lateCost : 1;
      const most = Math.max(longer * state.cost, state.cost + further);
      if (tried.survived) {
        state.max = Math.min(state.max, most);
        state.likely = Math.min(state.likely || tried.score, tried.score);
      }
      state.below = tried.score < likelyShare * state.likely ? state.below + 1 : 0;
      if (state.cost >= state.max || state.below >= unlikely) {
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
