/** The limits per day: money, of which a share is set aside before the first request and settled at the end, and runs of a person. */
import { codes, PhotonError } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import { setAside, settleShare } from '../../memory/day-spend.ts';
import { type Retry, rewriteStore } from '../../memory/rewrite-store.ts';
import type { Settings } from '../../settings/settings.ts';
import type { VersionedStore } from '../../workspace/stores/versioned-store.ts';
import { computeCost, type Spent } from './budget.ts';

/** The run that sets a share aside. */
export interface DayShareRequest {
  readonly run: string;
  readonly settings: Pick<
    Settings,
    'maxCost' | 'maxCostPerDay' | 'modelPrices' | 'runsPerPersonPerDay'
  >;
  /** Login of the person who started the run; empty for a schedule. */
  readonly startedBy: string;
  readonly memory: () => Promise<{ readonly store: VersionedStore } | undefined>;
  readonly nowMs: number;
  readonly retry: Retry;
  /** What the run has spent; undefined before its loop began. */
  readonly spent: () => Spent | undefined;
  readonly note: (text: string) => void;
}

/** A share that was set aside. */
export interface DayShare {
  /** Records the real cost of the run. If that fails, the whole share stays set aside. */
  settle(): Promise<void>;
}

/**
 * Sets aside the maximum cost of this run, beside the shares of the other runs of the day, and counts it for the person
 * who started it. Returns an ending when a daily limit has no room for it. A run that is killed keeps its whole share.
 * @throws PhotonError `MEMORY_*`, `GITHUB_*`: no run starts when the sum cannot be read.
 */
export async function openDayShare(
  request: DayShareRequest,
): Promise<DayShare | Ending | undefined> {
  const { run, settings, nowMs, retry } = request;
  const {
    maxCost: max,
    maxCostPerDay: cap,
    modelPrices,
    runsPerPersonPerDay: perPerson,
  } = settings;
  const cost = cap === undefined || max === undefined ? undefined : { max, cap };
  const { startedBy: login } = request;
  const person = perPerson === undefined || login === '' ? undefined : { login, cap: perPerson };
  if (cost === undefined && person === undefined) return undefined;
  const place = await request.memory();
  if (place === undefined)
    throw new PhotonError(
      'SETTING_INVALID',
      'limits.costPerDay and limits.runsPerPersonPerDay need memory: they are kept with the records.',
    );
  const message = 'Cost of the day';
  const { value } = await rewriteStore(
    place.store,
    files => {
      const { edits, refused } = setAside(files, { run, cost, person, nowMs });
      return { edits, message, value: refused };
    },
    retry,
  );
  if (value !== undefined)
    return {
      status: 'abstained',
      code: value.code,
      phase: 'INPUT',
      message: `${codes[value.code].meaning} ${value.detail}`,
    };
  return {
    settle: async () => {
      if (cost === undefined) return;
      const spent = request.spent();
      const real = spent === undefined ? 0 : (computeCost(modelPrices, spent) ?? cost.max);
      const work = (files: ReadonlyMap<string, string>) => ({
        edits: settleShare(files, { run, cost: real, nowMs }),
        message,
        value: undefined,
      });
      await rewriteStore(place.store, work, retry).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        request.note(`The cost of the day keeps the whole share of this run: ${why}`);
      });
    },
  };
}
