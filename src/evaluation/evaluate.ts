/** Plays the tasks of an evaluation, several at a time, within a limit of money. What was played is kept. */
import { dirname } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import type { FinishedRun } from '../run/stages.ts';
import { readNamedFile } from '../workspace/files/read-foreign.ts';
import type { EvaluationContext } from './find.ts';
import { type PlayOptions, playTask } from './play.ts';
import { parseResult, type TaskResult } from './result.ts';
import { hashKey } from './store.ts';
import type { EvalTask } from './task.ts';

interface EvaluateOptions extends PlayOptions {
  readonly parallel: number;
  /** Most money for all runs together; undefined for no limit. */
  readonly maxCost: number | undefined;
  /** Most money for one run, by the settings; undefined for no limit. */
  readonly maxCostPerRun: number | undefined;
  /** Names the configuration: results of another one are not used. */
  readonly key: string;
  /** True: tasks are played again, whatever is kept. */
  readonly fresh: boolean;
  /** Called when a task has ended; `kept` is true for one that was played earlier. */
  readonly onResult: (result: TaskResult, kept: boolean) => void;
}

/** Plays each task once. Returns the results, and why other tasks were not played to their end. */
export async function evaluate(
  place: EvaluationContext,
  tasks: readonly EvalTask[],
  options: EvaluateOptions,
) {
  const { store, input } = place;
  const budget = openBudget(options.maxCost, options.maxCostPerRun);
  const results: TaskResult[] = [];
  const open: { id: string; reason: string }[] = [];
  const waiting = [...tasks];
  let working = 0;
  const playNext = async (task: EvalTask): Promise<void> => {
    const name = `${options.key}/${hashKey(task.id)}`;
    const kept = options.fresh ? undefined : parseResult(store.read(`results/${name}.json`) ?? '');
    if (kept?.id === task.id) {
      results.push(kept);
      options.onResult(kept, true);
      return;
    }
    const given = input.signal.aborted ? undefined : budget.take(options.parallel - working);
    if (input.signal.aborted || given === 'empty') {
      open.push({ id: task.id, reason: given === 'empty' ? spent : cancelled });
      return;
    }
    working += 1;
    const keep = (run: FinishedRun) => keepFiles(place, `runs/${name}`, run);
    const played = await attempt(() => playTask(place, task, { ...options, maxCost: given, keep }));
    working -= 1;
    const cost = 'reason' in played ? 0 : (played.cost ?? given ?? 0);
    const hasLess = given !== undefined && given !== options.maxCostPerRun;
    const reason = 'reason' in played ? played.reason : reasonToRepeat(played, hasLess);
    budget.settle(given, cost, reason === spent);
    if (reason !== undefined || 'reason' in played) {
      open.push({ id: task.id, reason: reason ?? '' });
      return;
    }
    store.write(`results/${name}.json`, `${JSON.stringify(played)}\n`);
    results.push(played);
    options.onResult(played, false);
  };
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift())
      await playNext(task);
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return { results: results.sort((a, b) => (a.id < b.id ? -1 : 1)), open };
}

/** What a task comes to; one that cannot be played does not end the others. */
async function attempt(
  play: () => Promise<TaskResult>,
): Promise<TaskResult | { readonly reason: string }> {
  try {
    return await play();
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    return { reason: error.code === 'CANCELLED' ? cancelled : `${error.message} [${error.code}]` };
  }
}

const spent = 'the money of --max-cost is spent';
const cancelled = 'the evaluation was interrupted';

/** Codes of runs that say nothing about the task. */
const notOfTask: ReadonlySet<string> = new Set([
  'MODEL_AUTH',
  'MODEL_UNAVAILABLE',
  'MODEL_MISSING',
  'API_KEY_MISSING',
  'KEY_EXCHANGE',
  'PRICE_UNKNOWN',
  'SANDBOX_UNAVAILABLE',
  'DISK',
  'SYSTEM_LIMIT',
  'DISABLED',
  'BUDGET_DAY',
]);

/** Why a run says nothing about the task, so that the next evaluation plays it again; undefined if it does. */
function reasonToRepeat({ code }: TaskResult, hasLess: boolean): string | undefined {
  if (code === 'CANCELLED') return cancelled;
  // the run had less than the settings allow it
  if (code === 'BUDGET_COST' && hasLess) return spent;
  return notOfTask.has(code) ? `the run ended with ${code}` : undefined;
}

function keepFiles({ store }: EvaluationContext, name: string, { files }: FinishedRun): void {
  for (const file of ['outcome.json', 'ledger.jsonl', 'patch.diff']) {
    const text = readNamedFile(`${dirname(files.outcomePath)}/${file}`);
    // more cannot be read again
    if (text !== undefined && Buffer.byteLength(text) < 5_000_000)
      store.write(`${name}/${file}`, text);
  }
}

/** The money of an evaluation: each run gets a part of what is left, so all of them together stay within the limit. */
interface Budget {
  /**
   * The most that the next run may cost; undefined without a limit, and `empty` if too little is left.
   * @param free the number of runs that could start now.
   */
  take(free: number): number | undefined | 'empty';
  /** Returns what a run was given, and books what it cost. A run that was cut off shows that too little is left. */
  settle(given: number | undefined, cost: number, isCut: boolean): void;
}

/** A smaller part of the whole is not worth a start. */
const minShare = 1 / 1000;

/** @param total undefined for no limit. @param perRun the limit of the settings for one run; undefined if they have none. */
export function openBudget(total: number | undefined, perRun: number | undefined): Budget {
  let left = total ?? 0;
  let isSpent = false;
  return {
    take: free => {
      if (total === undefined) return undefined;
      if (isSpent || left <= total * minShare) return 'empty';
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
