/** The limits per day: money, of which a share is set aside before the first request and settled at the end, and runs of a person. */
import * as z from 'zod';
import { codes, PhotonError } from '../../base/codes.ts';
import { sortKeys } from '../../base/digest.ts';
import type { Ending } from '../../base/outcome.ts';
import { sum } from '../../base/plural.ts';
import { parseJson } from '../../base/schema-issue.ts';
import { type Retry, rewriteStore } from '../../memory/work-on-records.ts';
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

/** Maximum runs counted per day; beyond it no run starts, because the sum would be unknown. */
const maxRuns = 1000;
/** Days to keep. */
const keptDays = 7;

const spendSchema = z.object({
  version: z.literal(1),
  /** Cost of each run, in the currency of the price list: reserved during the run, real afterwards. */
  runs: z.record(z.string(), z.number().min(0)),
  /** Number of runs that each person started, by login; absent where nothing limits it. */
  people: z.record(z.string(), z.int().min(0)).default({}),
});

interface DayUse {
  /** Cost by run id. */
  readonly runs: Readonly<Record<string, number>>;
  /** Runs by login. */
  readonly people: Readonly<Record<string, number>>;
}

/** Path of the file for the UTC day of a time in milliseconds. */
export function spendPath(nowMs: number): string {
  return `spend/${new Date(nowMs).toISOString().slice(0, 10)}.json`;
}

/** The use of a day; undefined for a file that cannot be parsed, which keeps runs from starting. */
export function parseDayUse(text: string | undefined): DayUse | undefined {
  if (text === undefined) return { runs: {}, people: {} };
  return spendSchema.safeParse(parseJson(text)).data;
}

function renderDayUse({ runs, people }: DayUse): string {
  const counted = Object.keys(people).length === 0 ? undefined : sortKeys(people);
  return `${JSON.stringify({ version: 1, runs: sortKeys(runs), people: counted }, null, 2)}\n`;
}

/** What a run requests at its start. */
interface Share {
  readonly run: string;
  /** Maximum cost of the run, and of all runs of the day; undefined without a limit. */
  readonly cost: { readonly max: number; readonly cap: number } | undefined;
  /** Who starts it, and the maximum number of runs that they may start on a day; undefined without a limit. */
  readonly person: { readonly login: string; readonly cap: number } | undefined;
  readonly nowMs: number;
}

/** Why a run may not start: the limit, and the figures. */
interface DayRefusal {
  readonly code: 'BUDGET_DAY' | 'BUDGET_PERSON';
  readonly detail: string;
}

interface SetAside {
  readonly edits: ReadonlyMap<string, string | undefined>;
  readonly refused: DayRefusal | undefined;
}

/** The edits that reserve the share of this run and delete old days; or why the run may not start. */
export function setAside(files: ReadonlyMap<string, string>, share: Share): SetAside {
  const { run, cost, person, nowMs } = share;
  const path = spendPath(nowMs);
  const use = parseDayUse(files.get(path));
  const refused = whyNot(use, path, share);
  if (use === undefined || refused !== undefined) return { edits: new Map(), refused };
  const oldest = spendPath(nowMs - keptDays * 86_400_000);
  const old = [...files.keys()].filter(p => p.startsWith('spend/') && p < oldest);
  const login = person?.login.toLowerCase() ?? '';
  const text = renderDayUse({
    runs: { ...use.runs, [run]: cost?.max ?? 0 },
    people:
      person === undefined ? use.people : { ...use.people, [login]: startedBy(use, login) + 1 },
  });
  return {
    edits: new Map([[path, text], ...old.map((p): [string, undefined] => [p, undefined])]),
    refused: undefined,
  };
}

/** A login may be `constructor`. */
const startedBy = ({ people }: DayUse, login: string) =>
  Object.hasOwn(people, login) ? (people[login] ?? 0) : 0;

function whyNot(
  use: DayUse | undefined,
  path: string,
  { cost, person }: Pick<Share, 'cost' | 'person'>,
): DayRefusal | undefined {
  const day = (detail: string): DayRefusal => ({ code: 'BUDGET_DAY', detail });
  if (use === undefined) return day(`${path} cannot be parsed.`);
  if (Object.keys(use.runs).length >= maxRuns) return day(`${maxRuns} runs already started today.`);
  const started = person === undefined ? 0 : startedBy(use, person.login.toLowerCase());
  if (person !== undefined && started >= person.cap)
    return {
      code: 'BUDGET_PERSON',
      detail: `${person.login} has started ${started} of ${person.cap} runs today.`,
    };
  if (cost === undefined) return undefined;
  const spent = sum(Object.values(use.runs));
  return spent + cost.max > cost.cap
    ? day(
        `${spent.toFixed(4)} of ${cost.cap} is spent or reserved today; this run may cost up to ${cost.max}.`,
      )
    : undefined;
}

/** The file of the day on which the run began, with its real cost. */
export function settleShare(
  files: ReadonlyMap<string, string>,
  { run, cost, nowMs }: { readonly run: string; readonly cost: number; readonly nowMs: number },
): ReadonlyMap<string, string> {
  const path = spendPath(nowMs);
  const use = parseDayUse(files.get(path));
  if (use === undefined || use.runs[run] === undefined || use.runs[run] === cost) return new Map();
  return new Map([[path, renderDayUse({ ...use, runs: { ...use.runs, [run]: cost } })]]);
}
