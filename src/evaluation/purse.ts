/** The money of an evaluation: each run gets a part of what is left, so all of them together stay within the limit. */

export interface Purse {
  /**
   * The most that the next run may cost; null without a limit, and `empty` if too little is left.
   * @param free the number of runs that could start now.
   */
  take(free: number): number | null | 'empty';
  /** Returns what a run was given, and books what it cost. A run that was cut off shows that too little is left. */
  settle(given: number | null, cost: number, isCut: boolean): void;
}

/** A smaller part of the whole is not worth a start. */
const leastShare = 1 / 1000;

/** @param total null for no limit. @param perRun the limit of the settings for one run; null if they have none. */
export function openPurse(total: number | null, perRun: number | null): Purse {
  let left = total ?? 0;
  let isSpent = false;
  return {
    take: free => {
      if (total === null) return null;
      if (isSpent || left <= total * leastShare) return 'empty';
      const given = Math.min(left / Math.max(1, free), perRun ?? Number.POSITIVE_INFINITY);
      left -= given;
      return given;
    },
    settle: (given, cost, isCut) => {
      left += (given ?? 0) - cost;
      isSpent ||= isCut;
    },
  };
}
