/** One process, from what started it to its reports. Each run is opened, prepared, looped, verified, delivered and reported. */
import { decideStart, isDisabled } from '../agent/limits/gate.ts';
import { runAgent } from '../agent/loop/loop.ts';
import { type Code, codes, PhotonError } from '../base/codes.ts';
import type { Ending } from '../base/outcome.ts';
import type { Task } from '../base/task.ts';
import { decideDeliveryMode } from '../hosts/delivery-mode.ts';
import type { Attendance, Delivery, Host, RunInput, TaskPlan } from '../hosts/host.ts';
import { openTimeLimit, type TimeLimit } from '../process/time-limit.ts';
import { runRenderers } from '../report/comment/summary.ts';
import { addNote, closeRun, leaveFolder, outcomeOfRun, withRecords } from './end-run.ts';
import { pickEngine } from './engines/index.ts';
import { withPlaces } from './kinds/answer.ts';
import { pickKind, settle } from './kinds/index.ts';
import { prepareRun } from './prepare-run.ts';
import {
  type FinishedRun,
  openRun,
  type Run,
  type RunProgress,
  type RunRequest,
  startAt,
} from './stages.ts';
import { openVerifiedPatch } from './verified-patch.ts';
import { graceMs, watchEnd } from './watch-end.ts';

/**
 * Carries out what started this process: one result for each task, and at least one.
 * @throws PhotonError `DISK` when no run folder can be made; every other way to end is an outcome.
 */
export async function runPhoton(input: RunInput): Promise<readonly FinishedRun[]> {
  // the run of an event that comes to no task
  const opened = openRun(input, undefined);
  const end = (ending: Ending) => finish({ opened }, undefined, async () => ending);
  const results: FinishedRun[] = [];
  let host: Host | undefined;
  try {
    if (isDisabled(input.env)) return [await end(quiet('DISABLED'))];
    const found = await input.host(input, opened.folder);
    if ('declined' in found) return [await end(quiet('EVENT_NOT_SERVED', found.declined))];
    host = found;
    const stopped = decideStart(host.environment.settings, input.now());
    if (stopped !== undefined) return [await end(quiet(stopped))];
    const planned = input.replay
      ? [{ task: input.replay.task }]
      : await inTime(host, undefined, bound => bound.readTrigger());
    for (const one of planned)
      results.push(
        await inTime(host, one.task, (bound, limit) => runTask(startAt(bound, one), one, limit)),
      );
    await inTime(host, undefined, bound => bound.conclude(results));
    opened.ledger.close();
  } catch (error) {
    results.push(await finish({ opened }, host, () => Promise.reject(error)));
  } finally {
    await host?.close();
    if (results.some(r => r.files.path === opened.folder.path) || results.length === 0)
      await leaveFolder(opened);
    else opened.folder.discard();
  }
  return results;
}

function quiet(code: Code, message: string = codes[code].meaning): Ending {
  return { status: 'no_change', code, phase: 'INPUT', message };
}

/** Does work within the time limit of one run, with its requests to the host. */
async function inTime<T>(
  host: Host,
  task: Task | undefined,
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

/** One task: there is exactly one outcome, whatever happens on the way. */
async function runTask(
  host: Host,
  { task, refused }: TaskPlan,
  limit: TimeLimit,
): Promise<FinishedRun> {
  const { environment } = host;
  const opened = openRun(environment.input, environment);
  const progress: RunProgress = { opened, environment, task };
  const leave = watchEnd(progress, environment, limit.signal);
  try {
    return await finish(progress, host, async () => {
      if (refused?.error !== undefined) throw refused.error;
      if (refused !== undefined) return { phase: 'INPUT', ...refused };
      if (task === undefined) throw new PhotonError('TASK_MISSING');
      const mode = decideDeliveryMode(environment.settings, environment.input.delivery);
      const kind = pickKind(task, environment.input);
      const about = { ...opened, task, mode, changes: kind.changes };
      const attendance = host.attend({ ...about, stop: limit.cancel });
      const attended: AttendedRun = { host, attendance, progress };
      const request = makeRequest(attended, { task, kind, mode, limit });
      const ended = await executeRun(request, attended).finally(() => attendance.close());
      return attendance.post(ended, progress.run?.state.plan);
    });
  } finally {
    await leave();
  }
}

interface AttendedRun {
  readonly host: Host;
  readonly attendance: Attendance;
  readonly progress: RunProgress;
}

function makeRequest(
  { host: { environment }, attendance, progress: { opened } }: AttendedRun,
  chosen: Pick<RunRequest, 'task' | 'kind' | 'mode' | 'limit'>,
): RunRequest {
  const { settings, input } = environment;
  return {
    ...opened,
    environment,
    ...chosen,
    engine: pickEngine(settings, input),
    onPhase: phase => {
      input.log.watch?.phase(phase);
      attendance.onPhase?.(phase);
    },
    takeMessages: attendance.takeMessages,
    reviewBase: attendance.reviewBase,
  };
}

/**
 * Prepares a run, plays it to its ending, and brings its patch to its target.
 * @throws PhotonError for endings that are errors.
 */
async function executeRun(request: RunRequest, attended: AttendedRun): Promise<Delivery> {
  const { host, attendance, progress } = attended;
  const { ready } = attendance;
  ready.catch(() => {}); // the first request reports it, if there is one
  const resources = new AsyncDisposableStack();
  try {
    const readTrusted = () => host.trusted(request.task.headBranch?.base);
    const prepared = await prepareRun(request, { progress, ready, readTrusted, resources });
    if (prepared.run === undefined) return prepared.ending;
    const { run } = prepared;
    return await withRecords(progress, run, async () => {
      const ending = await runAgent(run);
      return ending.status === 'committed'
        ? deliver(run, ending, attended)
        : withPlaces(await settle(run, ending), run.services.session);
    });
  } finally {
    await resources
      .disposeAsync()
      .catch((error: unknown) =>
        request.note(`Photon could not clean up after the run: ${listReasons(error).join('; ')}`),
      );
  }
}

async function deliver(
  run: Run,
  ending: Ending,
  { attendance, progress }: AttendedRun,
): Promise<Delivery> {
  return attendance.publish(openVerifiedPatch(run, ending, progress));
}

/** Reasons of an error, which joins those of several when more than one thing could not be closed. */
function listReasons(error: unknown): readonly string[] {
  return error instanceof SuppressedError
    ? [...listReasons(error.suppressed), ...listReasons(error.error)]
    : [error instanceof Error ? error.message : String(error)];
}

/** The outcome of some work, reported where the task was requested and written down. */
async function finish(
  progress: RunProgress,
  host: Host | undefined,
  work: () => Promise<Delivery>,
): Promise<FinishedRun> {
  const outcome = await outcomeOfRun(progress, work);
  const { note, url } = (await host?.report(progress, outcome)) ?? {};
  const done = await closeRun(progress, addNote(progress, outcome, note), runRenderers);
  return { ...done, commentUrl: url };
}
