/** Plays the tasks of an evaluation, several at a time, within a limit of money, and judges what each delivered. What was played is kept. */
import { dirname, join } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import { hasPatch } from '../base/outcome.ts';
import { runPhoton } from '../run/run.ts';
import type { FinishedRun } from '../run/stages.ts';
import type { InputRecord } from '../settings/settings.ts';
import { changesBetween, placeTree } from '../workspace/commits/past-commits.ts';
import { readNamedFile } from '../workspace/files/read-foreign.ts';
import { withScratchFolder } from '../workspace/files/run-folder.ts';
import { type EvaluationContext, testInput } from './find.ts';
import { oracleModel } from './oracle.ts';
import { parseResult, type TaskResult } from './result.ts';
import { hashKey } from './store.ts';
import { type EvalTask, type PromptKind, promptText, treeWith } from './task.ts';
import { makeLocalTask, withTestServices } from './test-services.ts';
import { countRefusals, judgeOutcome, judgePatch, type PatchVerdict } from './verdict.ts';

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

export interface PlayOptions {
  readonly prompt: PromptKind;
  /** True: the run gets neither the tests of the task nor their names. */
  readonly hidesTests: boolean;
  /** True: the known fix is played in place of the model. */
  readonly oracle: boolean;
}

/**
 * Plays a task in a folder of its own, which is removed.
 * @param maxCost the most that the run may cost; undefined for the limit of the settings.
 * @param keep called with the run while its files exist.
 */
async function playTask(
  place: EvaluationContext,
  task: EvalTask,
  play: PlayOptions & {
    readonly maxCost: number | undefined;
    readonly keep: (run: FinishedRun) => void;
  },
): Promise<TaskResult> {
  const { git, input } = place;
  return withScratchFolder(async folder => {
    const workspace = join(folder, 'repository');
    const tree = play.hidesTests ? task.tree : await treeWith(git, task.tree, task.tests);
    await placeTree(git, input.programs, { tree, folder: workspace, time: task.time });
    const prompt = promptText({ ...task, kind: play.prompt, hidesTests: play.hidesTests });
    const base = testInput(place, { workspace, folder });
    const limit: InputRecord =
      play.maxCost === undefined ? {} : { 'max-cost': String(play.maxCost) };
    const [run] = await runPhoton({
      ...base,
      inputs: { ...base.inputs, ...limit },
      event: { ...base.event, taskInput: prompt },
      ...(play.oracle ? knownFix(task, prompt) : undefined),
    });
    if (run === undefined) throw new PhotonError('INTERNAL', 'The run has no outcome.');
    play.keep(run);
    const judged = hasPatch(run.outcome.status)
      ? await judgeDelivered(place, task, { tree, diff: run.diff, workspace, folder })
      : undefined;
    return buildResult(task, run, judged);
  });
}

/** What makes a run play the known fix. */
function knownFix({ fix, id }: EvalTask, prompt: string) {
  const name = id
    .slice(0, 12)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-');
  return { replay: { task: makeLocalTask(`eval-${name}`, prompt), model: oracleModel(fix ?? []) } };
}

interface EvaluatedPatch {
  /** Tree that the run began at. */
  readonly tree: string;
  readonly diff: string;
  readonly workspace: string;
  readonly folder: string;
}

/** Runs the tests of the task on its base with the delivered patch. A failure must repeat. */
async function judgeDelivered(
  place: EvaluationContext,
  task: EvalTask,
  { tree, diff, ...folders }: EvaluatedPatch,
): Promise<PatchVerdict> {
  const { git } = place;
  const patched = await git.applyDiff({ tree, diff });
  if (patched === undefined)
    return { solved: undefined, note: 'the patch does not apply to its base' };
  // whatever the patch made of them, these are the tests that count
  const judged = await treeWith(git, patched, task.tests);
  const changes = await changesBetween(git, { from: tree, to: judged });
  try {
    return await withTestServices(testInput(place, folders), async ({ services, environment }) => {
      const { verifier } = await services.reopen(environment.git, []);
      if (services.verifier === undefined || verifier === undefined)
        return { solved: undefined, note: 'the settings waive verification' };
      try {
        const first = judgePatch(await services.verifier.run(changes), task);
        return first.solved === false ? judgePatch(await verifier.run(changes), task) : first;
      } finally {
        await verifier.close();
      }
    });
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code === 'CANCELLED') throw error;
    return { solved: undefined, note: `the hidden tests cannot run (${error.code})` };
  }
}

function buildResult(
  task: EvalTask,
  { outcome, diff }: FinishedRun,
  judged: PatchVerdict | undefined,
): TaskResult {
  const { usage, sandbox } = outcome;
  const isFree = usage.inputTokens + usage.outputTokens === 0;
  // a run that started no command had nothing that could read
  const confined = sandbox.guarantees.every(g => g.name !== 'reads' || g.holds);
  return {
    id: task.id,
    title: task.title.slice(0, 200),
    verdict: judgeOutcome(outcome, judged),
    code: outcome.code,
    note: (judged?.note || (hasPatch(outcome.status) ? '' : outcome.message)).slice(0, 400),
    cost: usage.cost ?? (isFree ? 0 : null),
    durationMs: outcome.durationMs,
    rounds: usage.rounds,
    refusals: countRefusals(outcome),
    confined,
    patch: diff.slice(0, 4_000_000),
  };
}
