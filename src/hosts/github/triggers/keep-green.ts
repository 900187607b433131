/** `/photon keep-green`: watches a pull request, merges a base that moved, and repairs a failing check, one step for each event. */
import { PhotonError } from '../../../base/codes.ts';
import { exactPattern } from '../../../base/path-patterns.ts';
import type { Task } from '../../../base/task.ts';
import { readOutside } from '../../../guard/content/outside-text.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { answered, quiet, refused } from '../../planned-task.ts';
import type { Author } from '../api/github.ts';
import { getStatus } from '../api/github-errors.ts';
import { isAncestor, readRef } from '../api/refs.ts';
import { authorise } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { isOwn } from '../conversation/comment.ts';
import { failingChecks } from '../conversation/failed-logs.ts';
import { readPastComment } from '../conversation/past-comment.ts';
import {
  maxAttempts,
  readWatch,
  readWatchedPull,
  type Watch,
  type WatchedPull,
  writeWatch,
} from '../conversation/watch-state.ts';
import type { PullEvent, ThreadRequest } from '../parse/event.ts';
import { findCommand } from '../parse/find-command.ts';
import { taskOfCommand } from './command-task.ts';
import { forbidsMerges, isFollowedHead, openHead, openMerge, replayBranch } from './merge-base.ts';

/** Longest watch in milliseconds. */
const maxMs = 7 * 86_400_000;
/** Most pull requests of a base that moved which are looked at. */
const maxPulls = 30;

/** Begins a watch, or ends it, and takes its first step. @throws PhotonError `GITHUB_*`. */
export async function beginWatch(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskPlan | TaskRefusal> {
  const { kind, number, commentId, commentKind } = command.conversation;
  if (kind !== 'pull-request' || commentId === undefined || commentKind === 'review-body')
    return refused('abstained', 'WATCH_REFUSED');
  const by = { kind: commentKind ?? 'issue', comment: commentId } as const;
  const step = startWatch(context, {
    command,
    by,
    pull: await readWatchedPull(context.github, number),
  });
  if (step.pull.isFork) return refused('failed', 'FORK_PULL_REQUEST');
  return command.text.trim() === 'off' ? end(step, 'WATCH_ENDED', 'As you asked.') : takeStep(step);
}

/** Begins a watch by its label, whose author may give tasks. @throws PhotonError `GITHUB_*`. */
export async function beginByLabel(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskPlan> {
  const pull = await readWatchedPull(context.github, command.conversation.number);
  if (pull.isFork) return quiet('FORK_PULL_REQUEST');
  const by = { kind: 'label', comment: 0 } as const;
  const step = startWatch(context, { command, by, pull });
  return answer(step, await takeStep(step));
}

/** Ends the watch of a pull request. @returns false if there is none. @throws PhotonError `GITHUB_*`. */
export async function endWatch(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskRefusal | undefined> {
  const { kind, number } = command.conversation;
  const watch = kind === 'pull-request' ? await readWatch(context.github, number) : undefined;
  if (watch?.isOn !== true) return undefined;
  const pull = await readWatchedPull(context.github, number);
  return end({ context, command, watch, pull }, 'WATCH_ENDED', 'As you asked.');
}

interface WatchStart {
  readonly command: ThreadRequest;
  readonly by: Pick<Watch, 'kind' | 'comment'>;
  readonly pull: WatchedPull;
}

function startWatch(context: RepositoryContext, { command, by, pull }: WatchStart): WatchStep {
  const since = context.now();
  const state = { isOn: true, since, attempts: 0, spent: 0, head: pull.head, note: 'WATCHED' };
  return { context, pull, watch: { ...state, ...by }, command };
}

/** Takes a step for each watched pull request of an event. @throws PhotonError `GITHUB_*`. */
export async function serveWatched(
  context: RepositoryContext,
  event: PullEvent,
): Promise<readonly TaskPlan[]> {
  const plans = await stepsOfEvent(context, event);
  return plans.length === 0 ? [quiet('EVENT_NOT_SERVED', 'No pull request is watched.')] : plans;
}

/** The steps of the watched pull requests of an event; of all if it names neither one nor a base. */
export async function stepsOfEvent(
  context: RepositoryContext,
  event: Pick<PullEvent, 'number' | 'base'>,
): Promise<readonly TaskPlan[]> {
  const plans: TaskPlan[] = [];
  const errors: PhotonError[] = [];
  for (const number of await listPulls(context, event)) {
    try {
      const plan = await stepOfEvent(context, number);
      if (plan !== undefined) plans.push(plan);
    } catch (error) {
      if (!(error instanceof PhotonError)) throw error;
      // the others have their steps all the same
      context.log(`The step of pull request ${number} failed: ${error.code}: ${error.message}`);
      errors.push(error);
    }
  }
  if (plans.length === 0 && errors[0] !== undefined) throw errors[0];
  return plans;
}

async function listPulls(
  { github }: RepositoryContext,
  { number, base }: Pick<PullEvent, 'number' | 'base'>,
): Promise<readonly number[]> {
  if (number !== undefined) return [number];
  const { data } = await github.rest.pulls.list({
    ...github.where,
    state: 'open',
    base,
    per_page: maxPulls,
  });
  return data.map(pull => pull.number);
}

/** The step of a watched pull request; undefined if it is not watched, or its watch has lost its authority. */
export async function stepOfEvent(
  context: RepositoryContext,
  number: number,
): Promise<TaskPlan | undefined> {
  const { settings } = context;
  const found = await readWatch(context.github, number);
  if (found?.isOn === false || (found === undefined && settings.triggers.keepGreen !== 'own'))
    return undefined;
  const pull = await readWatchedPull(context.github, number);
  const by = found ?? { kind: 'own', comment: 0 };
  const author = await findAuthority(context, pull, by);
  if (author === undefined) return undefined;
  const conversation = { kind: 'pull-request', number } as const;
  const command: ThreadRequest = {
    kind: 'command',
    verb: 'keep-green',
    text: '',
    author,
    createdAt: new Date(context.now()).toISOString(),
    conversation:
      by.kind === 'issue' || by.kind === 'review'
        ? { ...conversation, commentId: by.comment, commentKind: by.kind }
        : conversation,
    issue: pull.thread,
    headSha: pull.head,
  };
  const started = startWatch(context, { command, by, pull });
  const step = { ...started, watch: found ?? started.watch };
  return answer(step, await takeStep(step));
}

/** For whom a step is taken; undefined if what began the watch does not hold any more. */
async function findAuthority(
  context: RepositoryContext,
  pull: WatchedPull,
  { kind, comment: id }: Pick<Watch, 'kind' | 'comment'>,
): Promise<Author | undefined> {
  const { settings } = context;
  const { keepGreen, keepGreenLabel } = settings.triggers;
  const { github } = context;
  if (kind === 'label') return isSet(pull.labels, keepGreenLabel) ? pull.thread.author : undefined;
  if (kind === 'own') {
    const isOwnPull =
      isOwn({ user: pull.thread.author }, await github.self()) &&
      pull.ref.startsWith(settings.branchPrefix);
    return keepGreen === 'own' && isOwnPull ? pull.thread.author : undefined;
  }
  const { number } = pull;
  const original = await readPastComment(github, { kind, id, number });
  const found = findCommand(original?.body ?? '', settings.triggers.words);
  const isCommand = found?.verb === 'keep-green' && found.text.trim() !== 'off';
  if (original === undefined || !isCommand) return undefined;
  return (await authorise(context, original.author)).allowed ? original.author : undefined;
}

function isSet(labels: readonly string[], wanted: string): boolean {
  return wanted !== '' && labels.some(name => name.toLowerCase() === wanted.toLowerCase());
}

interface WatchStep {
  readonly context: RepositoryContext;
  readonly pull: WatchedPull;
  readonly watch: Watch;
  readonly command: ThreadRequest;
}

/** One step: it ends the watch, merges the base, repairs a check, or waits. */
async function takeStep(step: WatchStep): Promise<TaskPlan | TaskRefusal> {
  const { context, pull, watch } = step;
  if (!pull.isOpen) return end(step, 'PULL_REQUEST_CLOSED');
  if (pull.isFork) return end(step, 'FORK_PULL_REQUEST');
  if (context.now() - watch.since > maxMs)
    return end(step, 'WATCH_ENDED', 'It has been watched for seven days.');
  const { github } = context;
  const base = await readRef(github, `refs/heads/${pull.base}`);
  if (base === undefined) return end(step, 'WATCH_ENDED', 'The base branch is gone.');
  const isKnown = pull.head === watch.head || pull.head === watch.next;
  if (!isKnown && !(await isFollowedHead(context, { head: pull.head, watch, base })))
    return end(step, 'WATCH_ENDED', 'A person pushed to the branch.');
  const commits = { ancestor: base, commit: pull.head };
  if (!(await isAncestor(github, commits))) return mergeBase(step, base);
  return (await judgeChecks(step, base)) ?? settle(step, 'WATCHED');
}

/** Repairs what fails on the head alone; undefined if nothing fails there. */
async function judgeChecks(
  step: WatchStep,
  base: string,
): Promise<TaskPlan | TaskRefusal | undefined> {
  const { github } = step.context;
  const failing = (await failingChecks(github, step.pull.head)).map(check => check.name);
  if (failing.length === 0) return undefined;
  const onBase = new Set((await failingChecks(github, base)).map(check => check.name));
  const toRepair = failing.filter(name => !onBase.has(name));
  return toRepair.length === 0 ? reportBase(step, failing) : repair(step);
}

/** The bound that a watch has reached; undefined if it has not. */
function findSpent({ context, watch }: WatchStep): string | undefined {
  const { maxCost } = context.settings;
  if (watch.attempts >= maxAttempts) return 'It has used up its steps.';
  return maxCost !== undefined && watch.spent >= maxCost ? 'Its runs cost max-cost.' : undefined;
}

/** Lets GitHub merge the base. A conflict becomes a run that resolves it. */
async function mergeBase(step: WatchStep, base: string): Promise<TaskPlan | TaskRefusal> {
  const { context, pull, watch } = step;
  const spent = findSpent(step);
  if (spent !== undefined) return end(step, 'WATCH_ENDED', spent);
  // one attempt for each head: the same conflict would end in the same way
  if (watch.note === 'BASE_CONFLICT' && watch.head === pull.head && watch.attempts > 0)
    return (await judgeChecks(step, base)) ?? settle(step, 'BASE_CONFLICT');
  const { github } = context;
  const where = { ...github.where, pull_number: pull.number };
  const counted = { ...watch, attempts: watch.attempts + 1, head: pull.head };
  if (await forbidsMerges(github, pull.ref)) return replay(step, { base, counted });
  await save(step, { ...counted, note: 'BASE_MERGED' });
  try {
    await github.rest.pulls.updateBranch({ ...where, expected_head_sha: pull.head });
  } catch (error) {
    if (getStatus(error) !== 422) return Promise.reject(error);
    // nothing could verify the merge of a head that fails
    const repaired = await judgeChecks({ ...step, watch: { ...counted, note: watch.note } }, base);
    if (repaired !== undefined) return repaired;
    await save(step, { ...counted, note: 'BASE_CONFLICT' });
    return resolveConflict(step, base);
  }
  return quiet('WATCHED');
}

/** Makes Photon's own commits again on the base, where the branch takes no merge. The rest is left to people, once. */
async function replay(
  step: WatchStep,
  { base, counted }: { readonly base: string; readonly counted: Watch },
): Promise<TaskPlan | TaskRefusal> {
  const { context, pull, watch } = step;
  const { git } = context;
  const why = await replayBranch(context.github, git, {
    branch: pull.ref,
    head: pull.head,
    base,
    beforeMove: next => save(step, { ...counted, next, note: 'BASE_REPLAYED' }),
  });
  if (why === undefined) return quiet('WATCHED');
  const repaired = await judgeChecks({ ...step, watch: { ...counted, note: watch.note } }, base);
  if (repaired !== undefined) return repaired;
  await save(step, { ...counted, note: 'BASE_CONFLICT' });
  const message = `The base moved, and ${pull.ref} takes no merge commit. Photon cannot make its commits again: ${why}. Rebase it by hand.`;
  return refused('abstained', 'BASE_CONFLICT', message);
}

/** The run that resolves the conflicts of the merge. Its commit merges the base into the branch. */
async function resolveConflict(step: WatchStep, base: string): Promise<TaskPlan | TaskRefusal> {
  const { context, pull } = step;
  try {
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
  } catch (error) {
    if (!(error instanceof PhotonError) || error.code !== 'BASE_CONFLICT') throw error;
    return refused('abstained', error.code, error.message);
  }
}

/** The task of a step, whose patch becomes one commit on the branch. */
async function fixTask({ context, command, pull }: WatchStep, text: string) {
  const fix: ThreadRequest = { ...command, verb: 'fix', text, headSha: pull.head };
  const planned = await taskOfCommand(context, fix);
  const task: Task = { ...planned.task, trigger: 'failed-workflow', keepsGreen: true };
  return { ...planned, task };
}

/** A check that fails on the base, too, is reported once. */
async function reportBase(
  step: WatchStep,
  names: readonly string[],
): Promise<TaskPlan | TaskRefusal> {
  const code = 'CHECK_FAILS_ON_BASE';
  const isNews = step.watch.note !== code;
  const quietly = await settle(step, code);
  if (!isNews) return quietly;
  const rows = names.slice(0, 20).map(name => [name.slice(0, 100)]);
  return {
    ...refused('abstained', code),
    commandAnswer: {
      heading: '',
      lines: ['These checks fail on the base as well, so Photon does not repair them here.'],
      table: { head: ['check'], rows },
    },
  };
}

/** The run that repairs what fails. Its patch becomes one commit on the branch. */
async function repair(step: WatchStep): Promise<TaskPlan | TaskRefusal> {
  const { context, pull, watch } = step;
  const spent = findSpent(step);
  if (spent !== undefined) return end(step, 'WATCH_ENDED', spent);
  const isHere = context.baseCommit === pull.head;
  // the event of another commit: that of this one has its own. A schedule and the push of a base name none.
  if (!isHere && !['schedule', 'push'].includes(context.input.event.name))
    return settle(step, 'WATCHED');
  const planned = await fixTask(step, context.taskTexts('failed_workflow', {}));
  await save(step, { ...watch, attempts: watch.attempts + 1, head: pull.head, note: 'REPAIR' });
  return isHere ? planned : { ...planned, start: await openHead(context, pull.head) };
}

async function settle(step: WatchStep, note: string): Promise<TaskPlan> {
  const { watch, pull } = step;
  const isNew = watch.note !== note || watch.head !== pull.head || watch.attempts === 0;
  if (isNew) await save(step, { ...watch, head: pull.head, note });
  return quiet('WATCHED');
}

async function end(
  step: WatchStep,
  code: 'WATCH_ENDED' | 'PULL_REQUEST_CLOSED' | 'FORK_PULL_REQUEST',
  why = '',
): Promise<TaskRefusal> {
  await save(step, { ...step.watch, isOn: false, head: step.pull.head, note: code });
  const message = `Photon no longer keeps this pull request green. ${why}`.trim();
  return refused('no_change', code, message);
}

async function save({ context, pull }: WatchStep, watch: Watch): Promise<void> {
  await writeWatch(context.github, pull.number, watch);
}

/** The run of a step, or the report of one without a run in the conversation. */
function answer(
  { context, command, pull, watch }: WatchStep,
  result: TaskPlan | TaskRefusal,
): TaskPlan {
  if ('task' in result) return result;
  const { conversation, author } = command;
  const id = `watch-${pull.number}-${watch.comment}`.slice(0, 60);
  return answered(context, { id, askedBy: author.login, conversation }, result);
}
