/** One step of a watched pull request: it merges the base, repairs a check, reports, ends the watch, or waits. */
import { isDeepStrictEqual } from 'node:util';
import { PhotonError } from '../../../base/codes.ts';
import { digest } from '../../../base/digest.ts';
import { exactPattern } from '../../../base/path-patterns.ts';
import type { Task } from '../../../base/task.ts';
import { readOutside } from '../../../guard/content/outside-text.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { answerTask, quiet, refuseTask } from '../../planned-task.ts';
import { formatMessage } from '../api/github-errors.ts';
import { isAncestor, readRef } from '../api/refs.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { type Check, listFailed, readChecks } from '../conversation/checks.ts';
import {
  maxAttempts,
  readWatch,
  type Watch,
  type WatchedPull,
  writeWatch,
} from '../conversation/watch-state.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { taskOfCommand } from './command-task.ts';
import {
  askForMerge,
  forbidsMerges,
  isFollowedHead,
  openHead,
  openMerge,
  replayBranch,
} from './merge-base.ts';

/** Longest watch in milliseconds. */
const maxMs = 7 * 86_400_000;
/** How long a run that tells nothing counts as one at work, in milliseconds: more than the longest job of the workflow. */
const leaseMs = 2 * 3_600_000;

/** A watch at an event. */
export interface WatchStep {
  readonly context: RepositoryContext;
  readonly pull: WatchedPull;
  readonly watch: Watch;
  readonly command: ThreadRequest;
  /** The state as it is written; absent at the first step. */
  readonly saved?: Watch | undefined;
}

type Result = TaskPlan | TaskRefusal;

/** Takes one step. @throws PhotonError `GITHUB_*`, `GIT`. */
export async function takeStep(step: WatchStep): Promise<Result> {
  const { context, pull, watch } = step;
  const { github } = context;
  if (!pull.isOpen) return closeWatch(step);
  if (pull.isFork) return endStep(step, 'FORK_PULL_REQUEST');
  if (context.now() - watch.since > maxMs)
    return endStep(step, 'WATCH_ENDED', 'It has been watched for seven days.');
  // one answer of 404 is no proof
  const base = await github.readWritten(() => readRef(github, `refs/heads/${pull.base}`));
  if (base === undefined) return endStep(step, 'WATCH_ENDED', 'The base branch is gone.');
  if (!(await isFollowedHead(context, { head: pull.head, watch, base })))
    return endStep(step, 'WATCH_ENDED', 'A person pushed to the branch.');
  const here = moveWatch(step);
  if (await isAncestor(github, { ancestor: base, commit: pull.head })) return judge(here, base);
  if (here.watch.tried.includes(makeKey(base))) return judge(here, base, here.watch.note);
  if (await forbidsMerges(github, pull.ref)) return replay(here, base);
  return mergeBase(here, base);
}

/** The step with its watch at the head of the pull request. What was tried at another head counts no more, nor what this run tried itself. */
function moveWatch(step: WatchStep): WatchStep {
  const { context, pull, watch } = step;
  const { head } = pull;
  const isAgain = watch.lease !== undefined && watch.lease.run === getRun(context);
  const next = head === watch.next ? undefined : watch.next;
  return {
    ...step,
    watch: { ...watch, head, next, tried: head === watch.head && !isAgain ? watch.tried : [] },
  };
}

/** Id of the workflow run; undefined outside of GitHub Actions. */
function getRun({ input }: RepositoryContext): string | undefined {
  return /^\d{1,20}$/.exec(input.env.GITHUB_RUN_ID ?? '')?.[0];
}

/** Name of a check or commit in the list of what was tried. */
const makeKey = (text: string) => digest(text).slice(0, 8);

async function judge(step: WatchStep, base: string, note = 'WATCHED'): Promise<Result> {
  const checks = await readChecks(step.context.github, step.pull.head);
  const repaired = await repairChecks(step, { base, checks });
  if (repaired !== undefined) return repaired;
  const undecided = checks.filter(check => check.verdict === 'undecided');
  return undecided.length === 0
    ? settle(step, note)
    : report(step, { code: 'CHECK_UNDECIDED', checks: undecided });
}

interface Judged {
  readonly base: string;
  readonly checks: readonly Check[];
}

/** Repairs what fails on the head alone; undefined if nothing fails there. */
async function repairChecks(
  step: WatchStep,
  { base, checks }: Judged,
): Promise<Result | undefined> {
  const failed = listFailed(checks);
  if (failed.length === 0) return undefined;
  const onBase = listFailed(await readChecks(step.context.github, base)).map(check => check.name);
  const toRepair = failed.filter(({ name }) => !onBase.includes(name));
  return toRepair.length === 0
    ? report(step, { code: 'CHECK_FAILS_ON_BASE', checks: failed })
    : repair(step, toRepair);
}

/** The same of the head as it is now. */
async function repairHead(step: WatchStep, base: string): Promise<Result | undefined> {
  return repairChecks(step, {
    base,
    checks: await readChecks(step.context.github, step.pull.head),
  });
}

/** The bound that a watch has reached; undefined if it has not. */
function findSpent({ context, watch }: WatchStep): string | undefined {
  const { maxCost } = context.settings;
  if (watch.attempts >= maxAttempts) return 'It has used up its steps.';
  return maxCost !== undefined && watch.spent >= maxCost ? 'Its runs cost max-cost.' : undefined;
}

/** Lets GitHub merge the base. A conflict becomes a run that resolves it. */
async function mergeBase(step: WatchStep, base: string): Promise<Result> {
  const { context, pull, watch } = step;
  const merge = await askForMerge(context.github, pull);
  switch (merge.kind) {
    case 'accepted':
      return settle(step, 'BASE_MERGED');
    case 'moved':
      return takeStep({ ...step, pull: merge.pull, watch: { ...watch, note: 'BASE_MERGED' } });
    case 'nothing':
      return judge(step, base);
    case 'queued':
      return judge(step, base, 'BASE_QUEUED');
    case 'refused': {
      const why = `GitHub does not merge ${pull.base} into ${pull.ref}: ${formatMessage(merge.error)}`;
      return leaveBase(step, { base, code: 'BASE_REFUSED', why });
    }
    case 'conflict':
      return meetConflict(step, base);
  }
}

interface LeftBase {
  readonly base: string;
  readonly code: 'BASE_REFUSED' | 'BASE_CONFLICT';
  readonly why: string;
}

/** Says once for each base that it is not merged. What fails on the head is repaired first. */
async function leaveBase(step: WatchStep, { base, code, why }: LeftBase): Promise<Result> {
  const repaired = await repairHead(step, base);
  if (repaired !== undefined && 'task' in repaired && !repaired.refused) return repaired;
  const tried = [...step.watch.tried, makeKey(base)];
  await save(step, { ...step.watch, tried, note: code });
  return refuseTask('abstained', code, why);
}

/** A run resolves the conflict once for each head, if nothing fails there: nothing could verify it otherwise. */
async function meetConflict(step: WatchStep, base: string): Promise<Result> {
  const repaired = await repairHead(step, base);
  if (repaired !== undefined) return repaired;
  if (step.watch.tried.includes('conflict')) return settle(step, step.watch.note);
  const spent = findSpent(step);
  if (spent !== undefined) return endStep(step, 'WATCH_ENDED', spent);
  try {
    const planned = await resolveConflict(step, base);
    return start(step, { planned, keys: ['conflict'], note: 'CONFLICT' });
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'BASE_CONFLICT') throw error;
    return leaveBase(step, { base, code: error.code, why: error.message });
  }
}

/** Makes Photon's own commits again on the base, where the branch takes no merge. The rest is left to people, once. */
async function replay(step: WatchStep, base: string): Promise<Result> {
  const { context, pull, watch } = step;
  const { git } = context;
  const why = await replayBranch(context.github, git, {
    branch: pull.ref,
    head: pull.head,
    base,
    beforeMove: next => save(step, { ...watch, next, note: 'BASE_REPLAYED' }),
  });
  if (why === undefined) return quiet('WATCHED');
  const left = `The base moved, and ${pull.ref} takes no merge commit. Photon cannot make its commits again: ${why}. Rebase it by hand.`;
  return leaveBase(step, { base, code: 'BASE_CONFLICT', why: left });
}

/** The run that resolves the conflicts of the merge. Its commit merges the base into the branch. @throws PhotonError `BASE_CONFLICT`. */
async function resolveConflict(step: WatchStep, base: string): Promise<TaskPlan> {
  const { context, pull } = step;
  const start = await openMerge(context, { head: pull.head, base });
  const paths = (start.merge?.marked ?? []).map(change => change.path);
  const planned = await fixTask(step, context.taskTexts('merge_conflict', {}));
  const { text, removed } = readOutside('path', paths.join('\n'));
  const shown = { label: context.taskTexts('conflict_label', {}), author: 'git', text };
  const task: Task = {
    ...planned.task,
    context: [...planned.task.context, shown],
    paths: paths.map(exactPattern),
    hiddenRemoved: planned.task.hiddenRemoved + removed,
  };
  return { ...planned, task, start };
}

/** The task of a step, whose patch becomes one commit on the branch. */
async function fixTask({ context, command, pull }: WatchStep, text: string) {
  const fix: ThreadRequest = { ...command, verb: 'fix', text, headSha: pull.head };
  const planned = await taskOfCommand(context, fix);
  const task: Task = { ...planned.task, trigger: 'failed-workflow', keepsGreen: true };
  return { ...planned, task };
}

const reports = {
  CHECK_FAILS_ON_BASE:
    'These checks fail on the base as well, so Photon does not repair them here.',
  CHECK_UNDECIDED: 'These checks ended without a verdict. A person has to start or approve them.',
} as const;

/** Names checks that no run repairs, once. */
async function report(
  step: WatchStep,
  { code, checks }: { readonly code: keyof typeof reports; readonly checks: readonly Check[] },
): Promise<Result> {
  const isNews = step.watch.note !== code;
  const quietly = await settle(step, code);
  if (!isNews) return quietly;
  const rows = checks.slice(0, 20).map(({ name, word }) => [name.slice(0, 100), word]);
  const table = { head: ['check', 'result'], rows };
  return {
    ...refuseTask('abstained', code),
    commandAnswer: { heading: '', lines: [reports[code]], table },
  };
}

/** The run that repairs what fails, once for each check of a head. Its patch becomes one commit on the branch. */
async function repair(step: WatchStep, checks: readonly Check[]): Promise<Result> {
  const { context, pull, watch } = step;
  const keys = checks.map(check => makeKey(check.name)).filter(key => !watch.tried.includes(key));
  if (keys.length === 0) return settle(step, 'REPAIR');
  const spent = findSpent(step);
  if (spent !== undefined) return endStep(step, 'WATCH_ENDED', spent);
  const isHere = context.baseCommit === pull.head;
  // the event of another commit: that of this one has its own. A schedule and the push of a base name none.
  if (!isHere && !['schedule', 'push'].includes(context.input.event.name))
    return settle(step, 'WAITING');
  const planned = await fixTask(step, context.taskTexts('failed_workflow', {}));
  const at = isHere ? planned : { ...planned, start: await openHead(context, pull.head) };
  return start(step, { planned: at, keys, note: 'REPAIR' });
}

interface StartedRun {
  readonly planned: TaskPlan;
  /** What is not tried again at this head. */
  readonly keys: readonly string[];
  readonly note: string;
}

/** Takes the lease of the watch for a run; none while another run holds it. */
async function start(step: WatchStep, { planned, keys, note }: StartedRun): Promise<Result> {
  const { context, watch, pull } = step;
  const now = context.now();
  const run = getRun(context) ?? '0';
  const isFree = ({ lease }: Watch) =>
    lease === undefined || lease.run === run || now - lease.at > leaseMs;
  if (!isFree(watch)) return quiet('WATCHED', 'Another run is at work for this watch.');
  const tried = [...watch.tried, ...keys].slice(-200);
  const lease = { run, at: now };
  await save(step, { ...watch, attempts: watch.attempts + 1, tried, lease, note });
  // of two steps at the same moment, the one that wrote last
  const written = await readWatch(context.github, pull.number);
  if (written !== undefined && !isFree(written))
    return quiet('WATCHED', 'Another run has taken over the watch.');
  return planned;
}

async function settle(step: WatchStep, note: string): Promise<TaskPlan> {
  await save(step, { ...step.watch, note });
  return quiet('WATCHED');
}

/** Ends the watch, and says why. */
export async function endStep(
  step: WatchStep,
  code: 'WATCH_ENDED' | 'FORK_PULL_REQUEST',
  why = '',
): Promise<TaskRefusal> {
  await save(step, { ...step.watch, isOn: false, head: step.pull.head, note: code });
  return refuseTask(
    'no_change',
    code,
    `Photon no longer keeps this pull request green. ${why}`.trim(),
  );
}

/** Ends the watch of a pull request that was merged or closed, which is no news to anybody. */
async function closeWatch(step: WatchStep): Promise<TaskPlan> {
  const code = 'PULL_REQUEST_CLOSED';
  const ended = { ...step.watch, isOn: false, head: step.pull.head, note: code };
  if (step.saved !== undefined) await save(step, ended);
  return quiet(code);
}

/** Writes the state, if it is another than the one that is there. */
async function save({ context, pull, saved }: WatchStep, watch: Watch): Promise<void> {
  if (!isDeepStrictEqual(watch, saved)) await writeWatch(context.github, pull.number, watch);
}

/** The run of a step, or the report of one without a run in the conversation. */
export function answerStep({ context, command, pull, watch }: WatchStep, result: Result): TaskPlan {
  if ('task' in result) return result;
  const { conversation, author } = command;
  const id = `watch-${pull.number}-${watch.comment}`.slice(0, 60);
  return answerTask(context, { id, askedBy: author.login, conversation }, result);
}
