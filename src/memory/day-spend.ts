/** Tracks the cost of all runs of a day; a run reserves its maximum cost before it begins. */
import * as z from 'zod';
import { once } from '../once.ts';

/** Maximum runs counted per day; beyond it no run starts, because the sum would be unknown. */
const maxRuns = 1000;
/** Days to keep. */
const keptDays = 7;

const spendSchema = once(() =>
  z.object({
    version: z.literal(1),
    /** Cost of each run, in the currency of the price list: reserved during the run, real afterwards. */
    runs: z.record(z.string(), z.number().min(0)),
  }),
);

/** Cost by run id. */
export type DaySpend = Readonly<Record<string, number>>;

/** Path of the file for the UTC day of a time in milliseconds. */
export function spendPath(nowMs: number): string {
  return `spend/${new Date(nowMs).toISOString().slice(0, 10)}.json`;
}

/** The costs of a day; null for a file that cannot be parsed, which keeps runs from starting. */
export function parseDaySpend(text: string | undefined): DaySpend | null {
  if (text === undefined) return {};
  try {
    return spendSchema().safeParse(JSON.parse(text)).data?.runs ?? null;
  } catch {
    return null;
  }
}

export function renderDaySpend(runs: DaySpend): string {
  const sorted = Object.fromEntries(Object.entries(runs).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: 1, runs: sorted }, null, 2)}\n`;
}

/** The reservation that a run requests at its start. */
export interface Share {
  readonly run: string;
  /** Maximum cost of the run. */
  readonly max: number;
  readonly cap: number;
  readonly nowMs: number;
}

/** The edits that reserve the share of this run and delete old days; or why the run may not start. */
export function setAside(
  files: ReadonlyMap<string, string>,
  { run, max, cap, nowMs }: Share,
): { readonly edits: ReadonlyMap<string, string | null>; readonly refused: string | null } {
  const path = spendPath(nowMs);
  const runs = parseDaySpend(files.get(path));
  const none: ReadonlyMap<string, null> = new Map();
  if (runs === null) return { edits: none, refused: `${path} cannot be parsed.` };
  if (Object.keys(runs).length >= maxRuns)
    return { edits: none, refused: `${maxRuns} runs already started today.` };
  const spent = Object.values(runs).reduce((sum, cost) => sum + cost, 0);
  if (spent + max > cap)
    return {
      edits: none,
      refused: `${spent.toFixed(4)} of ${cap} is spent or reserved today; this run may cost up to ${max}.`,
    };
  const oldest = spendPath(nowMs - keptDays * 86_400_000);
  const old = [...files.keys()].filter(p => p.startsWith('spend/') && p < oldest);
  const text = renderDaySpend({ ...runs, [run]: max });
  return {
    edits: new Map([[path, text], ...old.map((p): [string, null] => [p, null])]),
    refused: null,
  };
}

/** The file of the day on which the run began, with its real cost. */
export function settleShare(
  files: ReadonlyMap<string, string>,
  { run, cost, nowMs }: { readonly run: string; readonly cost: number; readonly nowMs: number },
): ReadonlyMap<string, string> {
  const path = spendPath(nowMs);
  const runs = parseDaySpend(files.get(path));
  if (runs === null || runs[run] === undefined || runs[run] === cost) return new Map();
  return new Map([[path, renderDaySpend({ ...runs, [run]: cost })]]);
}
