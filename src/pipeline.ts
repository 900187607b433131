/** The corridor: trigger ► settings ► constitution ► skills ► session ► pipeline ► delivery ► report. */

import { decideStart, isDisabled } from './agent/limits/gate.ts';
import { closeWalk, leaveFolder, outcomeOfWalk } from './agent/run/end-run.ts';
import { moveToBase } from './agent/run/move-to-base.ts';
import { type Delivery, pursue } from './agent/run/run.ts';
import { openWalk, type Walk } from './agent/run/run-context.ts';
import type { RunInput } from './agent/run/run-input.ts';
import { provePatch } from './audit/prove.ts';
import { type Code, codes, PhotonError } from './codes.ts';
import { groundFor } from './github/context/fork-settings.ts';
import { inTime } from './github/context/in-time.ts';
import { type Opened, openRun } from './github/context/open-run.ts';
import { askMarker } from './github/events/answer.ts';
import { parseEvent } from './github/events/event.ts';
import type { Planned } from './github/events/planned-task.ts';
import { keepDashboard } from './github/maintenance/keep.ts';
import { aimAt, parseRow } from './github/maintenance/row.ts';
import {
  checkBeforehand,
  deliverOnGitHub,
  reportOnGitHub,
  stageDelivery,
  watchBranch,
} from './github/publish/deliver.ts';
import { keepWaiting } from './github/publish/keep-plan.ts';
import { watchProgress } from './github/publish/watch-progress.ts';
import { resolveTasks } from './github/resolve-tasks.ts';
import type { Delivered, Ending, Outcome } from './outcome.ts';
import type { TimeLimit } from './process/time-limit.ts';
import { renderComment } from './report/comment.ts';
import { dashboardTitle, renderDashboard } from './report/dashboard.ts';
import { deliveryText } from './report/delivery-text.ts';
import { renderProgress } from './report/progress.ts';
import { renderSummary } from './report/summary.ts';
import { applyToCheckout } from './workspace/files/apply-to-checkout.ts';
import type { RunFiles } from './workspace/files/run-folder.ts';

export interface RunResult {
  readonly outcome: Outcome;
  readonly diff: string;
  readonly files: RunFiles;
}

/**
 * Carries out what started this process: one result a task, at least one.
 * @throws PhotonError `DISK` when no run folder can be made; every other way to end is an outcome.
 */
export async function runPhoton(given: RunInput): Promise<readonly RunResult[]> {
  const hall = openWalk(given, null, null);
  const request = parseEvent(given.event);
  const results: RunResult[] = [];
  let opened: Opened | null = null;
  try {
    if (isDisabled(given.env)) return [await end(hall, null, async () => quiet('DISABLED'))];
    if (request.kind === 'declined')
      return [await end(hall, null, async () => quiet('EVENT_NOT_SERVED', request.reason))];
    const row = parseRow(given.inputs.row ?? '');
    opened = await openRun(aimAt(given, row), hall.folder, request);
    const shut = decideStart(opened.settings, given.now());
    if (shut !== null) return [await end(hall, null, async () => quiet(shut))];
    const planned = given.replay
      ? [{ task: given.replay.task }]
      : await inTime(opened, bound => resolveTasks({ ...bound, request, row }));
    for (const plan of planned)
      results.push(
        await inTime(opened, (bound, limit) => runTask(groundFor(bound, plan.task), plan, limit)),
      );
    const text = { title: dashboardTitle, render: renderDashboard };
    if (row === null) await inTime(opened, bound => keepDashboard(bound, results, text));
    hall.ledger.close();
  } catch (error) {
    results.push(await end(hall, null, () => Promise.reject(error)));
  } finally {
    await opened?.close();
    if (results.some(r => r.files.path === hall.folder.path) || results.length === 0)
      await leaveFolder(hall);
    else hall.folder.discard();
  }
  return results;
}

function quiet(code: Code, message: string = codes[code].meaning): Ending {
  return { status: 'no_change', code, phase: 'INPUT', message };
}

async function runTask(
  opened: Opened,
  { task, refused }: Planned,
  limit: TimeLimit,
): Promise<RunResult> {
  const walk = openWalk(opened.input, opened, task);
  watchBranch(opened, walk);
  try {
    const progress = refused === undefined ? watchProgress(walk, opened, renderProgress) : null;
    return await end(walk, opened, async () => {
      if (refused !== undefined) return { phase: 'INPUT', ...refused };
      const trusted = () => opened.trusted(task?.headBranch?.base);
      const ending = pursue(walk, {
        ...{ limit, trusted, ready: checkBeforehand(opened, walk) },
        deliver: made => deliver(walk, opened, made),
      });
      return keepWaiting(walk, opened, await ending.finally(() => progress?.close()));
    });
  } finally {
    await leaveFolder(walk);
  }
}

/** The verified patch to where it was asked for; a dry run leaves the last step out. */
async function deliver(walk: Walk, opened: Opened, ending: Ending): Promise<Delivery> {
  const { settings, input, git } = opened;
  const { task } = walk;
  if (task === null) throw new PhotonError('INTERNAL');
  const as = (code: Code, delivered?: Delivered): Delivery => {
    return { ...ending, code, message: codes[code].meaning, ...(delivered ? { delivered } : {}) };
  };
  const away = !settings.dryRun && input.delivery === 'github' && settings.delivery !== 'patch';
  const patch = { walk, task, ending, words: deliveryText(task, settings) };
  if (away && !settings.staged) return deliverOnGitHub(opened, patch);
  const newer = await input.taker?.newBase();
  const ended = newer ? await moveToBase(walk, newer) : null;
  if (ended !== null) return ended;
  const changes = await provePatch(walk);
  if (settings.staged) return { ...as('STAGED'), staged: stageDelivery(opened, patch) };
  if (settings.dryRun) return as('DRY_RUN');
  input.taker?.take(changes);
  if (input.delivery !== 'apply')
    return as('PATCH_WRITTEN', { kind: 'patch', operation: 'created' });
  applyToCheckout(git.checkout, changes);
  return as('APPLIED', { kind: 'applied', operation: 'created' });
}

/** The outcome of some work, reported where it was asked for and written down. */
async function end(
  walk: Walk,
  opened: Opened | null,
  work: () => Promise<Delivery>,
): Promise<RunResult> {
  let outcome = await outcomeOfWalk(walk, work);
  const text = renderComment(outcome, askMarker(walk.task?.conversation));
  const note = opened ? await reportOnGitHub(opened, walk, text) : null;
  if (note !== null) outcome = { ...outcome, notes: [...outcome.notes, note] };
  return { ...closeWalk(walk, outcome, renderSummary), files: walk.folder };
}
