/** The corridor: trigger ► settings ► constitution ► skills ► session ► pipeline ► delivery ► report. */
import { provePatch } from './agent/prove.ts';
import type { RunInput } from './agent/run-input.ts';
import {
  closeWalk,
  type Delivery,
  openWalk,
  outcomeOfWalk,
  pursue,
  type Walk,
} from './agent/walk.ts';
import { type Code, codes, PhotonError } from './codes.ts';
import { askMarker } from './github/answer.ts';
import { deliverOnGitHub, reportOnGitHub, watchBranch } from './github/deliver.ts';
import { parseEvent } from './github/event.ts';
import { type Opened, openRun } from './github/open-run.ts';
import { type Planned, resolveTasks } from './github/trigger.ts';
import type { Delivered, Ending, Outcome } from './outcome.ts';
import { renderComment } from './report/comment.ts';
import { deliveryWords } from './report/delivery-words.ts';
import { applyToCheckout } from './session/apply-to-checkout.ts';
import type { RunFolder } from './session/run-folder.ts';

export interface RunResult {
  readonly outcome: Outcome;
  readonly diff: string;
  readonly files: Pick<
    RunFolder,
    'path' | 'outcomePath' | 'ledgerPath' | 'patchPath' | 'sessionPath'
  >;
}

/**
 * Carries out what started this process: one result a task, at least one.
 * @throws PhotonError `DISK` when no run folder can be made; every other way to end is an outcome.
 */
export async function runPhoton(input: RunInput): Promise<readonly RunResult[]> {
  const hall = openWalk(input, null, null);
  const request = parseEvent(input.event);
  const results: RunResult[] = [];
  let opened: Opened | null = null;
  try {
    if (request.kind === 'declined')
      return [await end(hall, null, async () => quiet('EVENT_NOT_SERVED', request.reason))];
    opened = await openRun(input, hall.folder, request);
    const { replay } = input;
    const planned = replay ? [{ task: replay.task }] : await resolveTasks({ ...opened, request });
    for (const plan of planned) results.push(await runTask(opened, plan));
    hall.ledger.close();
  } catch (error) {
    results.push(await end(hall, null, () => Promise.reject(error)));
  } finally {
    await opened?.close();
    if (results.some(r => r.files.path === hall.folder.path) || results.length === 0)
      hall.folder.close();
    else hall.folder.discard();
  }
  return results;
}

function quiet(code: Code, message: string): Ending {
  return { status: 'no_change', code, phase: 'INPUT', message };
}

async function runTask(opened: Opened, { task, refused }: Planned): Promise<RunResult> {
  const walk = openWalk(opened.input, opened, task);
  watchBranch(opened, walk);
  try {
    return await end(walk, opened, async () => {
      if (refused !== undefined) return { phase: 'INPUT', ...refused };
      return pursue(
        walk,
        () => opened.trusted(task?.headBranch?.base),
        ending => deliver(walk, opened, ending),
      );
    });
  } finally {
    walk.folder.close();
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
  if (away) {
    const words = deliveryWords(task, settings);
    return deliverOnGitHub(opened, { walk, task, ending, words });
  }
  const changes = await provePatch(walk);
  if (settings.dryRun) return as('DRY_RUN');
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
  const note =
    opened && walk.task
      ? await reportOnGitHub(
          opened,
          walk.task,
          renderComment(outcome, askMarker(walk.task.conversation)),
        )
      : null;
  if (note !== null) outcome = { ...outcome, notes: [...outcome.notes, note] };
  return { ...closeWalk(walk, outcome), files: walk.folder };
}
