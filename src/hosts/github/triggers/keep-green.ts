/** `/photon keep-green`: watches a pull request, merges a base that moved, and repairs a failing check, one step for each event. */
import { PhotonError } from '../../../base/codes.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { quiet, refuseTask } from '../../planned-task.ts';
import type { Author } from '../api/github.ts';
import { listPulls } from '../api/pull-files.ts';
import { findDefaultBranch, openRemoteFiles } from '../api/remote-tree.ts';
import { authorise } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { isOwn } from '../conversation/comment.ts';
import { readPastComment } from '../conversation/past-comment.ts';
import {
  readWatch,
  readWatchedPull,
  type Watch,
  type WatchedPull,
} from '../conversation/watch-state.ts';
import type { PullEvent, ThreadRequest } from '../parse/event.ts';
import { findCommand } from '../parse/find-command.ts';
import { answerStep, endStep, takeStep, type WatchStep } from './watch-step.ts';

/** Most pull requests of a base that moved which are looked at. */
const maxPulls = 30;

/** Begins a watch, or ends it, and takes its first step. @throws PhotonError `GITHUB_*`. */
export async function beginWatch(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskPlan | TaskRefusal> {
  const { kind, number, comment } = command.conversation;
  if (kind !== 'pull-request' || comment === undefined || comment.kind === 'review-body')
    return refuseTask('abstained', 'WATCH_REFUSED');
  const by = { kind: comment.kind, comment: comment.id };
  const step = startWatch(context, {
    command,
    by,
    pull: await readWatchedPull(context.github, number),
  });
  if (step.pull.isFork) return refuseTask('failed', 'FORK_PULL_REQUEST');
  if (command.text.trim() === 'off') return endStep(step, 'WATCH_ENDED', 'As you asked.');
  if (await lacksEvents(context)) return refuseTask('abstained', 'WATCH_REFUSED', noEvents);
  return takeStep(step);
}

const noEvents =
  'No workflow of this repository runs Photon on the events that take the steps of a watch, such as workflow_run and schedule. Add examples/keep-green.yml of Photon, then give the command again.';

/** True if the default branch has workflows with Photon, and none with an event that takes steps. */
async function lacksEvents({ github }: RepositoryContext): Promise<boolean> {
  const branch = await findDefaultBranch(github);
  // the list of a large repository is cut, and then nothing is said
  const files =
    branch === undefined ? undefined : await openRemoteFiles(github, branch).catch(() => undefined);
  const own: string[] = [];
  for (const path of files ? await files.list('.github/workflows') : []) {
    const text = new TextDecoder().decode(await files?.read(path));
    if (/^[^#\n]*\bagent-action\b/m.test(text)) own.push(text);
  }
  const takesSteps = /^ {2,4}(?:workflow_run|check_suite|status|push|schedule):/m;
  return own.length > 0 && !own.some(text => takesSteps.test(text));
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
  return answerStep(step, await takeStep(step));
}

/** Ends the watch of a pull request. @returns false if nothing watches. @throws PhotonError `GITHUB_*`. */
export async function endWatch(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskRefusal | undefined> {
  const { kind, number } = command.conversation;
  const watch = kind === 'pull-request' ? await readWatch(context.github, number) : undefined;
  if (watch?.isOn !== true) return undefined;
  const pull = await readWatchedPull(context.github, number);
  return endStep({ context, command, watch, pull }, 'WATCH_ENDED', 'As you asked.');
}

interface WatchStart {
  readonly command: ThreadRequest;
  readonly by: Pick<Watch, 'kind' | 'comment'>;
  readonly pull: WatchedPull;
}

function startWatch(context: RepositoryContext, { command, by, pull }: WatchStart): WatchStep {
  const since = context.now();
  const state = { isOn: true, since, attempts: 0, spent: 0, tried: [], note: '' };
  return { context, pull, watch: { ...state, ...by, head: pull.head }, command };
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
  event: Omit<PullEvent, 'kind'>,
): Promise<readonly TaskPlan[]> {
  const plans: TaskPlan[] = [];
  const errors: PhotonError[] = [];
  for (const number of await findPulls(context, event)) {
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

async function findPulls(
  { github }: RepositoryContext,
  { number, base, heads }: Omit<PullEvent, 'kind'>,
): Promise<readonly number[]> {
  if (number !== undefined) return [number];
  if (heads !== undefined) {
    const found = heads.slice(0, maxPulls).map(head => listPulls(github, head, 'open'));
    return (await Promise.all(found)).flat().map(pull => pull.number);
  }
  const about = { state: 'open', base, per_page: maxPulls } as const;
  const { data } = await github.rest.pulls.list({ ...github.where, ...about });
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
        ? { ...conversation, comment: { kind: by.kind, id: by.comment } }
        : conversation,
    issue: pull.thread,
    headSha: pull.head,
  };
  const started = startWatch(context, { command, by, pull });
  const step = { ...started, watch: found ?? started.watch, saved: found };
  return answerStep(step, await takeStep(step));
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
