/** What the runs of one day cost, kept with the records; a run sets its share aside before it begins. Pure. */
import * as z from 'zod';

/** Most runs of one day that are counted; past it nothing starts, since the sum would be a guess. */
const maxRuns = 1000;
/** Days that are kept. */
const keptDays = 7;

const spendSchema = z.object({
  version: z.literal(1),
  /** Cost of each run, in the currency of the price list: set aside while it goes on, real after. */
  runs: z.record(z.string(), z.number().min(0)),
});

/** Cost by run id. */
export type DaySpend = Readonly<Record<string, number>>;

/** Path of a day's file; the day is that of a moment (ms since the epoch) in UTC. */
export function spendPath(nowMs: number): string {
  return `spend/${new Date(nowMs).toISOString().slice(0, 10)}.json`;
}

/** Null for a file that is there and cannot be read: it decides nothing, and so nothing starts. */
export function parseDaySpend(text: string | undefined): DaySpend | null {
  if (text === undefined) return {};
  try {
    return spendSchema.safeParse(JSON.parse(text)).data?.runs ?? null;
  } catch {
    return null;
  }
}

export function renderDaySpend(runs: DaySpend): string {
  const sorted = Object.fromEntries(Object.entries(runs).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: 1, runs: sorted }, null, 2)}\n`;
}

/** What a run asks for at its start. */
export interface Share {
  readonly run: string;
  /** The most that it may cost. */
  readonly max: number;
  readonly cap: number;
  readonly nowMs: number;
}

/** The files with this run's share set aside and old days gone; or why it may not start. */
export function setAside(
  files: ReadonlyMap<string, string>,
  { run, max, cap, nowMs }: Share,
): { readonly edits: ReadonlyMap<string, string | null>; readonly refused: string | null } {
  const path = spendPath(nowMs);
  const runs = parseDaySpend(files.get(path));
  const none: ReadonlyMap<string, null> = new Map();
  if (runs === null) return { edits: none, refused: `${path} cannot be read.` };
  if (Object.keys(runs).length >= maxRuns)
    return { edits: none, refused: `${maxRuns} runs were counted today.` };
  const spent = Object.values(runs).reduce((sum, cost) => sum + cost, 0);
  if (spent + max > cap)
    return {
      edits: none,
      refused: `${spent.toFixed(4)} of ${cap} are spent or set aside today; this run may cost ${max}.`,
    };
  const oldest = spendPath(nowMs - keptDays * 86_400_000);
  const old = [...files.keys()].filter(p => p.startsWith('spend/') && p < oldest);
  const text = renderDaySpend({ ...runs, [run]: max });
  return {
    edits: new Map([[path, text], ...old.map((p): [string, null] => [p, null])]),
    refused: null,
  };
}

/** The file of the day that the run began, with what it really cost. */
export function settleShare(
  files: ReadonlyMap<string, string>,
  { run, cost, nowMs }: { readonly run: string; readonly cost: number; readonly nowMs: number },
): ReadonlyMap<string, string> {
  const path = spendPath(nowMs);
  const runs = parseDaySpend(files.get(path));
  if (runs === null || runs[run] === undefined || runs[run] === cost) return new Map();
  return new Map([[path, renderDaySpend({ ...runs, [run]: cost })]]);
}
