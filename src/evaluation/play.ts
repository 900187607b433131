/** Plays one task as a normal run on a repository that ends before the fix, and judges what it delivered. */
import { join } from 'node:path';
import { PhotonError } from '../base/codes.ts';
import { hasPatch } from '../base/outcome.ts';
import { runPhoton } from '../run/run.ts';
import type { FinishedRun } from '../run/stages.ts';
import type { InputRecord } from '../settings/settings.ts';
import { changesBetween, placeTree } from '../workspace/commits/past-commits.ts';
import { removeFolder } from '../workspace/files/remove-folder.ts';
import { makeOutFolder } from '../workspace/files/run-folder.ts';
import { type EvaluationContext, testInput, withTests } from './find.ts';
import { oracleModel } from './oracle.ts';
import type { TaskResult } from './result.ts';
import { type EvalTask, treeWith } from './task.ts';
import { type PromptKind, promptText } from './task-text.ts';
import { makeLocalTask, withTestServices } from './test-services.ts';
import { countRefusals, judgeOutcome, judgePatch, type PatchVerdict } from './verdict.ts';

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
export async function playTask(
  place: EvaluationContext,
  task: EvalTask,
  play: PlayOptions & {
    readonly maxCost: number | undefined;
    readonly keep: (run: FinishedRun) => void;
  },
): Promise<TaskResult> {
  const folder = makeOutFolder(undefined);
  const workspace = join(folder, 'repository');
  const { git, input } = place;
  try {
    const tree = play.hidesTests ? task.tree : await withTests(git, task);
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
  } finally {
    removeFolder(folder);
  }
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
