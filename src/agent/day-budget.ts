/** The cap on money per day: a share is set aside before the model is asked, and settled at the end. */
import { codes, PhotonError } from '../codes.ts';
import { setAside, settleShare } from '../memory/day-spend.ts';
import { type Retry, rewriteShelf } from '../memory/rewrite-shelf.ts';
import type { Ending } from '../outcome.ts';
import { costOf } from './budget.ts';
import type { Walk } from './walk.ts';

/** A share that was set aside. */
export interface DayShare {
  /** Writes down what the run really cost; a share that cannot be settled stays as it was set aside. */
  settle(): Promise<void>;
}

/**
 * Sets the most that this run may cost aside, with those of other runs of the day; the ending when
 * the cap has no room for it. A run that is killed keeps its whole share.
 * @throws PhotonError `MEMORY_*`, `GITHUB_*`: a sum that cannot be read starts nothing.
 */
export async function openDayShare(walk: Walk, retry: Retry): Promise<DayShare | Ending | null> {
  const { ground, input, id } = walk;
  if (ground === null) return null;
  const { maxCost: most, maxCostPerDay: cap, price } = ground.settings;
  if (cap === null || most === null) return null;
  const place = await ground.memory();
  if (place === null)
    throw new PhotonError(
      'SETTING_INVALID',
      'maxCostPerDay needs memory: it is kept with the records.',
    );
  const nowMs = input.now();
  const message = 'Cost of the day';
  const { value } = await rewriteShelf(
    place.shelf,
    files => {
      const { edits, refused } = setAside(files, { run: id, most, cap, nowMs });
      return { edits, message, value: refused };
    },
    retry,
  );
  if (value !== null)
    return {
      ...{ status: 'abstained', code: 'BUDGET_DAY', phase: 'INPUT' },
      message: `${codes.BUDGET_DAY.meaning} ${value}`,
    };
  return {
    settle: async () => {
      const spent = walk.progress?.spent;
      const cost = spent === undefined ? 0 : (costOf(price, spent) ?? most);
      const work = (files: ReadonlyMap<string, string>) => ({
        ...{ edits: settleShare(files, { run: id, cost, nowMs }), message, value: null },
      });
      await rewriteShelf(place.shelf, work, retry).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        walk.notes = [
          ...walk.notes,
          `The cost of the day keeps the whole share of this run: ${why}`,
        ];
      });
    },
  };
}
