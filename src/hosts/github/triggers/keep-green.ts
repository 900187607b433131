/** `/photon keep-green`: watches a pull request, merges a base that moved, and repairs a failing check, one step for each event. */
import { PhotonError } from '../../../base/codes.ts';
import { exactPattern } from '../../../base/path-patterns.ts';
import type { Task } from '../../../base/task.ts';
import { removeHiddenText } from '../../../guard/content/hidden-text.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { quiet, refused } from '../../planned-task.ts';
import { accountSchema, splitRepository } from '../api/github.ts';
import { getStatus, withCodes } from '../api/github-errors.ts';
import { readRef } from '../api/refs.ts';
import { authoriseAuthor, type RepositoryContext } from '../auth/repository-context.ts';
import { isOwn, listComments, postComment } from '../conversation/comment.ts';
import { type CommentKind, readPastComment } from '../conversation/past-comment.ts';
import type { CommentCommand, PullEvent } from '../parse/event.ts';
import { findCommand } from '../parse/find-command.ts';
import { taskOfCommand } from './command-task.ts';
import { openMerge } from './merge-base.ts';

/** Bounds of one watch: steps that repair or merge, and days. Each repair has the bounds of a run, such as max-cost. */
const maxAttempts = 5;
const maxMs = 7 * 86_400_000;
/** Most pull requests of a base that moved which are looked at. */
const maxPulls = 30;

/** State of a watch, as the mark in Photon's comment holds it. */
interface Watch {
  readonly isOn: boolean;
  /** The comment with the command. It is the authority of each step, and read again for it. */
  readonly kind: CommentKind;
  readonly comment: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly attempts: number;
  /** Head of the pull request at the last step. */
  readonly head: string;
  /** What the last step came to. */
  readonly note: string;
}

const stateMark =
  /<!-- photon:watch=(on|off) (issue|review):(\d{1,18}) since:(\d{1,15}) attempts:(\d{1,3}) head:([0-9a-f]{40}) note:([A-Z_]{0,40}) -->/;
const marker = '<!-- photon:watched=pull -->';

function parseWatch(body: string): Watch | undefined {
  const found = stateMark.exec(body);
  if (found === null) return undefined;
  const [, state, kind, comment, since, attempts, head = '', note = ''] = found;
  return {
    isOn: state === 'on',
    kind: kind as CommentKind,
    comment: Number(comment),
    since: Number(since),
    attempts: Number(attempts),
    head,
    note,
  };
}

function renderWatch({ isOn, kind, comment, since, attempts, head, note }: Watch): string {
  const title = isOn
    ? '**Photon keeps this pull request green**'
    : '**Photon no longer keeps this pull request green**';
  const last = `Steps: ${attempts} of at most ${maxAttempts}. The last one ended with \`${note}\` at ${head.slice(0, 12)}.`;
  const how = isOn
    ? 'A push of yours ends it, and so does `/photon keep-green off`.'
    : 'To begin again: `/photon keep-green`.';
  const state = `${isOn ? 'on' : 'off'} ${kind}:${comment} since:${since} attempts:${attempts}`;
  return `${title}\n\n${last} ${how}\n<!-- photon:watch=${state} head:${head} note:${note} -->`;
}

/** Begins a watch, or ends it, and takes its first step. @throws PhotonError `GITHUB_*`. */
export async function beginWatch(
  context: RepositoryContext,
  command: CommentCommand,
): Promise<TaskPlan | TaskRefusal> {
  const { kind, number, commentId, commentKind } = command.conversation;
  if (kind !== 'pull-request' || commentId === undefined || commentKind === 'review-body')
    return refused('abstained', 'WATCH_REFUSED');
  const pull = await readPull(context, number);
  if (pull.isFork) return refused('failed', 'FORK_PULL_REQUEST');
  const watch: Watch = {
    isOn: true,
    kind: commentKind ?? 'issue',
    comment: commentId,
    since: context.now(),
    attempts: 0,
    head: pull.head,
    note: 'WATCHED',
  };
  const step = { context, pull, watch, command };
  return command.text.trim() === 'off' ? end(step, 'WATCH_ENDED', 'As you asked.') : takeStep(step);
}

/** Takes a step for each watched pull request of an event. @throws PhotonError `GITHUB_*`. */
export async function serveWatched(
  context: RepositoryContext,
  event: PullEvent,
): Promise<readonly TaskPlan[]> {
  const plans: TaskPlan[] = [];
  for (const number of await listPulls(context, event)) {
    const plan = await stepOfEvent(context, number);
    if (plan !== undefined) plans.push(plan);
  }
  return plans.length === 0 ? [quiet('EVENT_NOT_SERVED', 'No pull request is watched.')] : plans;
}

async function listPulls(
  { github, repository }: RepositoryContext,
  { number, base }: PullEvent,
): Promise<readonly number[]> {
  if (number !== undefined) return [number];
  const client = await github();
  const { data } = await withCodes(client, () =>
    client.rest.pulls.list({
      ...splitRepository(repository),
      state: 'open',
      base,
      per_page: maxPulls,
    }),
  );
  return data.map(pull => pull.number);
}

/** The step of a watched pull request; undefined if it is not watched, or its watch has lost its authority. */
export async function stepOfEvent(
  context: RepositoryContext,
  number: number,
): Promise<TaskPlan | undefined> {
  const github = await context.github();
  const self = await github.self();
  const comments = await listComments(github, context.repository, { number });
  const own = comments.filter(c => isOwn(c, self) && c.body?.includes(marker));
  const watch = parseWatch(own.at(-1)?.body ?? '');
  if (watch?.isOn !== true) return undefined;
  const { kind, comment: id } = watch;
  const original = await readPastComment(github, context.repository, { kind, id, number });
  const found = findCommand(original?.body ?? '');
  const isCommand = found?.verb === 'keep-green' && found.text.trim() !== 'off';
  if (original === undefined || !isCommand) return undefined;
  if (!(await authoriseAuthor(context, original.author)).allowed) return undefined;
  const pull = await readPull(context, number);
  const command: CommentCommand = {
    kind: 'command',
    verb: 'keep-green',
    text: '',
    author: original.author,
    createdAt: new Date(context.now()).toISOString(),
    conversation: { kind: 'pull-request', number, commentId: id, commentKind: kind },
    issue: pull.thread,
    place: undefined,
    headSha: pull.head,
  };
  const step = { context, pull, watch, command };
  const result = await takeStep(step);
  return 'task' in result ? result : answer(step, result);
}

type Pull = Awaited<ReturnType<typeof readPull>>;

async function readPull({ github, repository }: RepositoryContext, number: number) {
  const client = await github();
  const where = { ...splitRepository(repository), pull_number: number };
  const { data } = await withCodes(client, () => client.rest.pulls.get(where));
  const { head, base, title, body, user } = data;
  return {
    number,
    isOpen: data.state === 'open',
    isFork: head.repo?.id !== base.repo.id,
    head: head.sha,
    base: base.ref,
    thread: {
      number,
      title,
      body: body ?? '',
      author: accountSchema.parse(user),
    },
  };
}

interface WatchStep {
  readonly context: RepositoryContext;
  readonly pull: Pull;
  readonly watch: Watch;
  readonly command: CommentCommand;
}

/** One step: it ends the watch, merges the base, repairs a check, or waits. */
async function takeStep(step: WatchStep): Promise<TaskPlan | TaskRefusal> {
  const { context, pull, watch } = step;
  const { repository } = context;
  if (!pull.isOpen) return end(step, 'PULL_REQUEST_CLOSED');
  if (pull.isFork) return end(step, 'FORK_PULL_REQUEST');
  if (context.now() - watch.since > maxMs)
    return end(step, 'WATCH_ENDED', 'It has been watched for seven days.');
  const github = await context.github();
  const base = await readRef(github, repository, `refs/heads/${pull.base}`);
  if (base === undefined) return end(step, 'WATCH_ENDED', 'The base branch is gone.');
  if (pull.head !== watch.head && !(await isOwnHead(step, base)))
    return end(step, 'WATCH_ENDED', 'A person pushed to the branch.');
  const { behind_by: behind } = await compare(context, base, pull.head);
  if (behind > 0) return mergeBase(step, base);
  const failing = await failingChecks(context, pull.head);
  if (failing.length === 0) return settle(step, 'WATCHED');
  const onBase = new Set(await failingChecks(context, base));
  const toRepair = failing.filter(name => !onBase.has(name));
  return toRepair.length === 0 ? reportBase(step, failing) : repair(step);
}

/** True for a commit of Photon's, and for a merge of the base onto the head of the last step. */
async function isOwnHead({ context, pull, watch }: WatchStep, base: string): Promise<boolean> {
  const github = await context.github();
  const where = { ...splitRepository(context.repository), commit_sha: pull.head };
  const { data } = await withCodes(github, () => github.rest.git.getCommit(where));
  const [first, second, ...others] = data.parents.map(p => p.sha);
  if (first !== watch.head || others.length > 0) return false;
  if (second === undefined) return /^Photon-Task: /m.test(data.message);
  return (await compare(context, base, second)).ahead_by === 0;
}

async function compare({ github, repository }: RepositoryContext, from: string, to: string) {
  const client = await github();
  const where = { ...splitRepository(repository), basehead: `${from}...${to}`, per_page: 1 };
  const { data } = await withCodes(client, () =>
    client.rest.repos.compareCommitsWithBasehead(where),
  );
  return data;
}

/** Names of the checks that failed on a commit. They are untrusted, and shown as code alone. */
async function failingChecks(
  { github, repository }: RepositoryContext,
  ref: string,
): Promise<readonly string[]> {
  const client = await github();
  const where = { ...splitRepository(repository), ref, filter: 'latest', per_page: 100 } as const;
  const { data } = await withCodes(client, () => client.rest.checks.listForRef(where));
  return data.check_runs
    .filter(c => c.conclusion === 'failure' || c.conclusion === 'timed_out')
    .map(c => c.name);
}

/** Lets GitHub merge the base. A conflict becomes a run that resolves it. */
async function mergeBase(step: WatchStep, base: string): Promise<TaskPlan | TaskRefusal> {
  const { context, pull, watch } = step;
  if (watch.attempts >= maxAttempts) return end(step, 'WATCH_ENDED', 'It has used up its steps.');
  // one attempt for each head: the same conflict would end in the same way
  if (watch.note === 'BASE_CONFLICT' && watch.head === pull.head && watch.attempts > 0)
    return settle(step, 'BASE_CONFLICT');
  const github = await context.github();
  const where = { ...splitRepository(context.repository), pull_number: pull.number };
  const counted = { ...watch, attempts: watch.attempts + 1, head: pull.head };
  await save(step, { ...counted, note: 'BASE_MERGED' });
  try {
    await github.rest.pulls.updateBranch({ ...where, expected_head_sha: pull.head });
  } catch (error) {
    if (getStatus(error) !== 422) return withCodes(github, () => Promise.reject(error));
    await save(step, { ...counted, note: 'BASE_CONFLICT' });
    return resolveConflict(step, base);
  }
  return quiet('WATCHED');
}

/** The run that resolves the conflicts of the merge. Its commit merges the base into the branch. */
async function resolveConflict(step: WatchStep, base: string): Promise<TaskPlan | TaskRefusal> {
  const { context, pull } = step;
  const { taskTexts } = context;
  try {
    const start = await openMerge(context, { head: pull.head, base });
    const paths = start.merge.marked.map(change => change.path);
    const planned = await fixTask(step, taskTexts('merge_conflict', {}));
    const { text, removed } = removeHiddenText(paths.join('\n'));
    const shown = { label: taskTexts('conflict_label', {}), author: 'git', text };
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
  const fix: CommentCommand = { ...command, verb: 'fix', text, headSha: pull.head };
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
  if (watch.attempts >= maxAttempts) return end(step, 'WATCH_ENDED', 'It has used up its steps.');
  // the event of another commit: that of this one has its own
  if (context.baseCommit !== pull.head) return settle(step, 'WATCHED');
  const planned = await fixTask(step, context.taskTexts('failed_workflow', {}));
  const { head } = pull;
  await save(step, { ...watch, attempts: watch.attempts + 1, head, note: 'REPAIR' });
  return planned;
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
  const github = await context.github();
  const conversation = { kind: 'pull-request', number: pull.number } as const;
  const { repository } = context;
  await postComment(github, { repository, conversation, body: renderWatch(watch), marker });
}

/** The report of a step without a run, in the conversation. */
function answer({ context, command, pull, watch }: WatchStep, result: TaskRefusal): TaskPlan {
  const { repository, baseRef } = context;
  const task = {
    id: `watch-${pull.number}-${watch.comment}`.slice(0, 60),
    trigger: 'comment',
    prompt: '',
    context: [],
    askedBy: command.author.login,
    hiddenRemoved: 0,
    repository,
    baseRef,
    conversation: command.conversation,
  } as const;
  return { task, refused: result };
}
