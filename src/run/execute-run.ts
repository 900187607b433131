/** One task from its request to its delivery. */

import { findUnrelated } from '../agent/context/unrelated-task.ts';
import { type DayShare, openDayShare } from '../agent/limits/day-budget.ts';
import { endingOfMode } from '../agent/limits/run-mode.ts';
import { runAgent } from '../agent/loop/loop.ts';
import { codes } from '../codes.ts';
import type { Delivery } from '../hosts/host.ts';
import { type Ending, isSuccess } from '../outcome.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import { openSession } from '../workspace/session/session.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { withPlaces } from './check-places.ts';
import { phaseOf } from './end-run.ts';
import { openEndpoint } from './engines/run-model.ts';
import { loadRun } from './load-run.ts';
import { prepareRun } from './prepare-run.ts';
import { keepRecords } from './run-memory.ts';
import {
  type LoadedRun,
  type PreparedRun,
  type RunRequest,
  type RunTracker,
  reach,
} from './stages.ts';
import { takeMinimal } from './take-minimal.ts';

/** What a run is given from outside. */
export interface ExecuteOptions {
  readonly tracker: RunTracker;
  readonly limit: TimeLimit;
  /** What must hold before the model gets its first request; it rejects when it does not. */
  readonly ready: Promise<unknown>;
  readonly trusted: () => Promise<TrustedFiles>;
  /** Called on a committed ending, while the session is still open. */
  readonly deliver: (run: PreparedRun, ending: Ending) => Promise<Delivery>;
}

/**
 * Policy, model, loop and delivery.
 * @throws PhotonError for endings that are errors.
 */
export async function executeRun(request: RunRequest, options: ExecuteOptions): Promise<Delivery> {
  const { tracker, limit, ready, trusted, deliver } = options;
  ready.catch(() => {}); // the first request reports it, if there is one
  if (request.environment.git.holdsCredential) request.note(credentialNote);
  const resources = new AsyncDisposableStack();
  try {
    const phase = () => phaseOf(tracker.stage);
    const endpoint = openEndpoint(request, { limit, phase });
    const loaded = reach(tracker, await loadRun(request, trusted));
    const unrelated = await lookForUnrelated(loaded);
    if (unrelated !== null) return unrelated;
    const share = await openShare(loaded, { tracker, limit });
    if (share !== null && 'status' in share) return share;
    resources.defer(() => share?.settle());
    const run = await prepareRun(loaded, { endpoint, ready, limit, phase, tracker, resources });
    const ending = await runAgent(run.loop);
    const ended =
      ending.status === 'committed'
        ? await deliver(reach(tracker, await takeMinimal(run)), ending)
        : await withPlaces(await settle(run, ending, limit.signal), run.services.session);
    await keepRecords(tracker, ended);
    return ended;
  } finally {
    await resources
      .disposeAsync()
      .catch((error: unknown) =>
        request.note(`Photon could not clean up after the run: ${reasonsOf(error).join('; ')}`),
      );
  }
}

/** The embedded engine has its own test of tasks, and a replay follows its record. */
async function lookForUnrelated(run: LoadedRun): Promise<Ending | null> {
  const { task, policy, environment, input } = run;
  if (environment.settings.engine !== 'openai' || input.replay !== undefined) return null;
  return findUnrelated(task, { skills: policy.skills, session: openSession(environment.git) });
}

/** Reasons of an error, which joins those of several when more than one thing could not be closed. */
function reasonsOf(error: unknown): readonly string[] {
  return error instanceof SuppressedError
    ? [...reasonsOf(error.suppressed), ...reasonsOf(error.error)]
    : [error instanceof Error ? error.message : String(error)];
}

/** Sets the run's share of the limits of the day aside; the ending when there is no room for it. */
function openShare(
  { id, task, environment, input, note }: LoadedRun,
  { tracker, limit }: Pick<ExecuteOptions, 'tracker' | 'limit'>,
): Promise<DayShare | Ending | null> {
  return openDayShare({
    run: id,
    settings: environment.settings,
    startedBy: task.trigger === 'schedule' ? '' : task.askedBy,
    memory: environment.memory,
    nowMs: input.now(),
    retry: { random: limit.clock.random, wait: limit.pause },
    spent: () => ('state' in tracker.stage ? tracker.stage.state.spent : null),
    note,
  });
}

/** The codes that refused patches, when there is none; empty if none was refused. */
function refusedPatches({ evidence, decisions }: PreparedRun['state']): string {
  if (evidence.patchDigest !== '') return '';
  const refused = [...decisions.values()].filter(
    d => d.tool === 'apply_patch' && d.state === 'abstain',
  );
  return refused.map(d => d.code).join(', ');
}

const credentialNote =
  'The checkout holds a git credential, which commands do not see. Give actions/checkout persist-credentials: false.';

/**
 * An ending without a patch: nothing to do, unless the tests fail as they are, which is a failure. An answer
 * needs no tests, unless the run tried a patch that failed them.
 */
async function settle(run: PreparedRun, ending: Ending, signal: AbortSignal): Promise<Ending> {
  const { task, services, state, policy, book } = run;
  if (book !== null && (isSuccess(ending.status) || ending.status === 'abstained')) {
    const { settleReview } = await import('./kinds/settle-review.ts');
    const base = run.reviewBase ?? (async () => null);
    return settleReview(run, ending, { book, base, signal });
  }
  if (task.until !== undefined) return endingOfMode(task, ending);
  if (!isSuccess(ending.status)) return ending;
  if (ending.status === 'answered' && state.failedVerifications === 0) return ending;
  const baseline = await services.verifier?.baseline();
  if (baseline && !baseline.passed) {
    const { require } = policy.settings;
    // so that people see which tests fail
    state.verification ??= { require, passed: false, baseline, regressions: [], patchDigest: '' };
    return {
      ...ending,
      status: 'failed',
      code: 'PATCH_EMPTY',
      message: 'The run changed nothing, though the tests fail.',
    };
  }
  const refused = refusedPatches(state);
  if (ending.status === 'no_change' && refused !== '')
    return {
      ...ending,
      status: 'failed',
      code: 'PATCH_EMPTY',
      message: `The run changed nothing, and its patches were refused (${refused}).`,
    };
  return task.trigger === 'schedule' && ending.status === 'no_change'
    ? { ...ending, code: 'NOTHING_TO_DO', message: codes.NOTHING_TO_DO.meaning }
    : ending;
}
