/** One process: trigger ► settings ► constitution ► session ► agent ► verification ► delivery ► report. */

import { decideStart, isDisabled } from './agent/limits/gate.ts';
import { type Code, codes, PhotonError } from './codes.ts';
import { decideDeliveryMode } from './hosts/delivery-mode.ts';
import type { Delivery, Host, Planned, RunInput } from './hosts/host.ts';
import type { Ending, Phase } from './outcome.ts';
import { openTimeLimit, type TimeLimit } from './process/time-limit.ts';
import { runRenderers } from './report/summary.ts';
import { addNote, closeRun, leaveFolder, outcomeOfRun } from './run/end-run.ts';
import { executeRun } from './run/execute-run.ts';
import {
  type FinishedRun,
  openRun,
  type RunRequest,
  type RunTracker,
  reach,
} from './run/stages.ts';
import { openVerifiedPatch } from './run/verified-patch.ts';

/** Longest that a run's records may be written after its time is up. */
const graceMs = 60_000;

/** Does work within the time limit of one run, with its requests to the host. */
async function inTime<T>(
  host: Host,
  task: Planned['task'],
  work: (host: Host, limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const { settings, input } = host.environment;
  const { now, signal } = input;
  const limit = openTimeLimit(signal, { ms: settings.timeoutMs, now });
  const records = openTimeLimit(signal, { ms: settings.timeoutMs + graceMs, now });
  try {
    return await work(host.within(task, limit, records), limit);
  } finally {
    limit.close();
    records.close();
  }
}

/**
 * Carries out what started this process: one result for each task, and at least one.
 * @throws PhotonError `DISK` when no run folder can be made; every other way to end is an outcome.
 */
export async function runPhoton(given: RunInput): Promise<readonly FinishedRun[]> {
  // the run of an event that comes to no task
  const bare = openRun(given, null);
  const end = (work: () => Promise<Delivery>) => finish({ stage: bare }, null, work);
  const results: FinishedRun[] = [];
  let host: Host | undefined;
  try {
    if (isDisabled(given.env)) return [await end(async () => quiet('DISABLED'))];
    const opened = await given.host(given, bare.folder);
    if ('declined' in opened)
      return [await end(async () => quiet('EVENT_NOT_SERVED', opened.declined))];
    host = opened;
    const shut = decideStart(host.environment.settings, given.now());
    if (shut !== null) return [await end(async () => quiet(shut))];
    const planned = given.replay
      ? [{ task: given.replay.task }]
      : await inTime(host, null, bound => bound.readTrigger());
    for (const each of planned)
      results.push(await inTime(host, each.task, (bound, limit) => runTask(bound, each, limit)));
    await inTime(host, null, bound => bound.conclude(results));
    bare.ledger.close();
  } catch (error) {
    results.push(await end(() => Promise.reject(error)));
  } finally {
    await host?.close();
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
  host: Host,
  { task, refused }: Planned,
  limit: TimeLimit,
): Promise<FinishedRun> {
  const { environment } = host;
  const opened = openRun(environment.input, environment);
  const tracker: RunTracker = { stage: { ...opened, environment, task } };
  try {
    return await finish(tracker, host, async () => {
      if (refused !== undefined) return { phase: 'INPUT', ...refused };
      if (task === null) throw new PhotonError('TASK_MISSING');
      const mode = decideDeliveryMode(environment.settings, environment.input.delivery);
      const attended = host.attend({ ...opened, task, mode });
      const { watch } = opened.input.log;
      const onPhase = (phase: Phase) => {
        watch?.phase(phase);
        attended.onPhase?.(phase);
      };
      const { reviewBase } = attended;
      const request: RunRequest = {
        ...opened,
        environment,
        task,
        mode,
        hooks: { onPhase },
        reviewBase,
      };
      const ended = await executeRun(reach(tracker, request), {
        tracker,
        limit,
        ready: attended.ready,
        trusted: () => host.trusted(task.headBranch?.base),
        deliver: (run, ending) =>
          attended.publish(openVerifiedPatch(run, ending, { tracker, limit })),
      }).finally(() => attended.close());
      const plan = 'state' in tracker.stage ? tracker.stage.state.evidence.plan : null;
      return attended.post(ended, plan ?? undefined);
    });
  } finally {
    await leaveFolder(opened);
  }
}

/** The outcome of some work, reported where the task was requested and written down. */
async function finish(
  tracker: RunTracker,
  host: Host | null,
  work: () => Promise<Delivery>,
): Promise<FinishedRun> {
  const outcome = await outcomeOfRun(tracker, work);
  const { stage } = tracker;
  const task = 'task' in stage ? stage.task : null;
  const note = await host?.report({ id: stage.id, task }, outcome);
  const noted = note === undefined ? outcome : addNote(tracker, outcome, note);
  return closeRun(tracker, noted, runRenderers);
}
