/** One process: trigger ► settings ► constitution ► session ► agent ► verification ► delivery ► report. */
import { decideStart, isDisabled } from './agent/limits/gate.ts';
import { type Code, codes, PhotonError } from './base/codes.ts';
import type { Ending, Phase } from './base/outcome.ts';
import { environmentFor } from './hosts/github/context/fork-settings.ts';
import { inTime } from './hosts/github/context/in-time.ts';
import {
  type GitHubEnvironment,
  openEnvironment,
} from './hosts/github/context/open-environment.ts';
import { openReviewBase } from './hosts/github/context/review-base.ts';
import { askMarker } from './hosts/github/conversation/answer.ts';
import { checkBeforehand, reportOnGitHub } from './hosts/github/delivery/deliver.ts';
import { deliverPatch, watchBranch } from './hosts/github/delivery/deliver-patch.ts';
import { offerPlan } from './hosts/github/delivery/offer-plan.ts';
import { postReview } from './hosts/github/delivery/review.ts';
import { watchProgress } from './hosts/github/delivery/watch-progress.ts';
import { keepDashboard } from './hosts/github/maintenance/keep.ts';
import { aimAt, parseRow } from './hosts/github/maintenance/row.ts';
import { parseEvent } from './hosts/github/parse/event.ts';
import type { Planned } from './hosts/github/parse/planned-task.ts';
import { resolveTasks } from './hosts/github/triggers/resolve-tasks.ts';
import type { TimeLimit } from './process/time-limit.ts';
import { renderComment } from './report/comment/comment.ts';
import { dashboardText } from './report/comment/dashboard.ts';
import { renderProgress } from './report/comment/progress.ts';
import { reviewText } from './report/comment/review.ts';
import { runRenderers } from './report/comment/summary.ts';
import { deliveryText } from './report/pull-request/delivery-text.ts';
import { decideDeliveryMode } from './run/delivery-mode.ts';
import { addNote, closeRun, leaveFolder, outcomeOfRun } from './run/end-run.ts';
import { executeRun } from './run/execute-run.ts';
import type { RunInput } from './run/run-input.ts';
import {
  type Delivery,
  type FinishedRun,
  openRun,
  type RunRequest,
  type RunTracker,
  reach,
} from './run/stages.ts';

/**
 * Carries out what started this process: one result for each task, and at least one.
 * @throws PhotonError `DISK` when no run folder can be made; every other way to end is an outcome.
 */
export async function runPhoton(given: RunInput): Promise<readonly FinishedRun[]> {
  // the run of an event that comes to no task
  const bare = openRun(given, null);
  const end = (work: () => Promise<Delivery>) => finish({ stage: bare }, null, work);
  const request = parseEvent({ ...given.inputs, ...given.event });
  const results: FinishedRun[] = [];
  let environment: GitHubEnvironment | null = null;
  try {
    if (isDisabled(given.env)) return [await end(async () => quiet('DISABLED'))];
    if (request.kind === 'declined')
      return [await end(async () => quiet('EVENT_NOT_SERVED', request.reason))];
    const row = parseRow(given.inputs.row ?? '');
    environment = await openEnvironment(aimAt(given, row), bare.folder, request);
    const shut = decideStart(environment.settings, given.now());
    if (shut !== null) return [await end(async () => quiet(shut))];
    const planned = given.replay
      ? [{ task: given.replay.task }]
      : await inTime(environment, bound => resolveTasks({ ...bound, request, row }));
    for (const each of planned)
      results.push(
        await inTime(environment, (bound, limit) =>
          runTask(environmentFor(bound, each.task), each, limit),
        ),
      );
    if (row === null)
      await inTime(environment, bound => keepDashboard(bound, results, dashboardText));
    bare.ledger.close();
  } catch (error) {
    results.push(await end(() => Promise.reject(error)));
  } finally {
    await environment?.close();
    if (results.some(r => r.files.path === bare.folder.path) || results.length === 0)
      await leaveFolder(bare);
    else bare.folder.discard();
  }
  return results;
}

function quiet(code: Code, message: string = codes[code].meaning): Ending {
  return { status: 'no_change', code, phase: 'INPUT', message };
}

async function runTask(
  environment: GitHubEnvironment,
  { task, refused }: Planned,
  limit: TimeLimit,
): Promise<FinishedRun> {
  const opened = openRun(environment.input, environment);
  const tracker: RunTracker = { stage: { ...opened, environment, task } };
  try {
    return await finish(tracker, environment, async () => {
      if (refused !== undefined) return { phase: 'INPUT', ...refused };
      if (task === null) throw new PhotonError('TASK_MISSING');
      const mode = decideDeliveryMode(environment.settings, environment.input.delivery);
      const view = { task, render: renderProgress };
      const progress = mode.showsProgress ? watchProgress(opened, environment, view) : null;
      const branch = watchBranch(environment, task, mode);
      const { watch } = opened.input.log;
      const onPhase = (phase: Phase) => {
        watch?.phase(phase);
        progress?.onPhase(phase);
      };
      const hooks = { onRound: branch.onRound, onPhase: progress || watch ? onPhase : undefined };
      const review = openReviewBase(environment, task);
      const request: RunRequest = { ...opened, environment, task, mode, hooks, ...review };
      const ended = await executeRun(reach(tracker, request), {
        tracker,
        limit,
        ready: checkBeforehand(environment, request),
        trusted: () => environment.trusted(task.headBranch?.base),
        deliver: (run, ending) => {
          const texts = deliveryText(task, environment.settings);
          return deliverPatch(environment, {
            run,
            ending,
            texts,
            tracker,
            limit,
            startedFrom: branch.head,
          });
        },
      }).finally(() => progress?.close());
      const posted = await postReview(tracker.stage, environment, [ended, reviewText]);
      return offerPlan(tracker.stage, environment, posted);
    });
  } finally {
    await leaveFolder(opened);
  }
}

/** The outcome of some work, reported where the task was requested and written down. */
async function finish(
  tracker: RunTracker,
  environment: GitHubEnvironment | null,
  work: () => Promise<Delivery>,
): Promise<FinishedRun> {
  let outcome = await outcomeOfRun(tracker, work);
  const { stage } = tracker;
  const task = 'task' in stage ? stage.task : null;
  const render = () => renderComment(outcome, askMarker(task?.conversation));
  const note = environment
    ? await reportOnGitHub(environment, { task, runId: stage.id }, render)
    : null;
  if (note !== null) outcome = addNote(tracker, outcome, note);
  return closeRun(tracker, outcome, runRenderers);
}
