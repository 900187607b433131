/** Decides how far a search goes, by the result of each rank and not by a clock, so that the number of copies does not matter. Pure. */

/** The result of the candidate at a rank. */
export interface CandidateResult {
  readonly survived: boolean;
  /** True if it ran until its limit, which takes as long as many other candidates. */
  readonly late: boolean;
}

/** Candidates to try in all, and after the first that passes. */
export const maxCandidates = 150;
const further = 12;
/** The cost to spend in all, as a multiple of the cost of the first survivor, if this is more. */
const longer = 1.25;
/** The cost of a candidate that never ends, in ordinary candidates. */
const lateCost = 10;

interface SearchLimit {
  settle(rank: number, tried: CandidateResult): void;
  /** The first rank that is not tried any more, as far as it is known. It never grows. */
  end(): number;
}

/** Opens the limit of a search of so many candidates. */
export function openSearchLimit(ranks: number): SearchLimit {
  const waiting = new Map<number, CandidateResult>();
  const state = { settled: 0, cost: 0, max: maxCandidates, end: ranks };
  const advance = () => {
    for (let tried = waiting.get(state.settled); tried; tried = waiting.get(state.settled)) {
      state.settled += 1;
      state.cost += tried.late ? lateCost : 1;
      const most = Math.max(longer * state.cost, state.cost + further);
      if (tried.survived) state.max = Math.min(state.max, most);
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
  };
}
