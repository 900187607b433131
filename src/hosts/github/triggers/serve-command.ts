/** A command in a comment ► the task that it asks for, or a reply at once. */
import { PhotonError } from '../../../base/codes.ts';
import type { Conversation } from '../../../base/task.ts';
import type { TaskPlan, TaskRefusal } from '../../host.ts';
import { answerTask, quiet, refuseTask } from '../../planned-task.ts';
import { checkAccess } from '../auth/access.ts';
import type { RepositoryAccess, RepositoryContext } from '../auth/repository-context.ts';
import { findRetried, resumeCommand } from '../conversation/answer.ts';
import { acknowledge, isOwn, listAllComments, taskMark } from '../conversation/comment.ts';
import { wasTaken } from '../conversation/inbox.ts';
import { approvePlan } from '../delivery/approval.ts';
import { listOwnPulls, type OwnPull, unlessRejected } from '../delivery/own-pulls.ts';
import { undoCommand } from '../delivery/undo.ts';
import { acceptRecords } from '../maintenance/settle-records.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { nearestVerb, verbs } from '../parse/verbs.ts';
import { taskOfCommand } from './command-task.ts';
import { beginWatch, endWatch } from './keep-green.ts';
import { reviewTask } from './review-task.ts';

/**
 * Serves a command. Authors who are not allowed to give it get no reply, because a reply would tell
 * them something. Everybody else gets one, even when GitHub fails in between.
 * @throws PhotonError `GITHUB_*` when the author's role is unknown.
 */
export async function serveCommand(
  context: RepositoryContext,
  command: ThreadRequest,
): Promise<TaskPlan> {
  const caller = { author: command.author, fork: false };
  const { access, reason } = await checkAccess(context, 'comment', caller);
  if (access === 'ignore')
    return quiet('NOT_AUTHORISED', `The author is not allowed to give this command: ${reason}.`);
  await acknowledge(context.github, command.conversation);
  try {
    if (context.failed !== undefined) throw context.failed;
    return await serveVerb(context, command);
  } catch (error) {
    // the author has seen the reaction to the command, so the failure needs a reply
    if (!(error instanceof PhotonError)) throw error;
    const refused = refuseTask('failed', error.code, error.message);
    return reply(context, command, { ...refused, error });
  }
}

async function serveVerb(context: RepositoryContext, command: ThreadRequest): Promise<TaskPlan> {
  switch (command.verb) {
    case 'fix':
      return fixTask(context, command);
    case 'plan':
    case 'ask':
      return taskOfCommand(context, command);
    case 'review':
      return reviewTask(context, command);
    case 'answer':
      return answeredTask(context, command);
    case 'keep-green':
      return reply(context, command, await beginWatch(context, command));
    case 'stop':
      return stopWatch(context, command);
    case 'retry':
      return retriedTask(context, command);
    case 'approve':
      return reply(context, command, await approvePlan(context, command));
    case 'undo':
      return reply(context, command, await undoCommand(context, command));
    case 'status':
      return reply(context, command, await statusAnswer(context, command));
    case 'accept':
      return reply(context, command, await acceptRecords(context, command));
    case 'help':
      return reply(context, command, helpAnswer());
    case 'unknown':
      return reply(context, command, unknownAnswer(command.text));
  }
}

/** The task of a command, or the reply to one that starts no run: its id contains that of the command's comment. */
function reply(
  context: RepositoryContext,
  { conversation, author, verb }: ThreadRequest,
  result: TaskPlan | TaskRefusal,
): TaskPlan {
  if ('task' in result) return result;
  const id = `${verb}-${conversation.number}-${conversation.comment?.id ?? 0}`;
  return answerTask(context, { id, askedBy: author.login, conversation }, result);
}

/** The same text is not tried again after a person closed its pull request; only `retry` ignores that. */
async function fixTask(context: RepositoryContext, command: ThreadRequest): Promise<TaskPlan> {
  if (await wasTaken(context, command)) return quiet('TASK_ADDED');
  const planned = await taskOfCommand(context, command);
  if (planned.refused !== undefined) return planned;
  return unlessRejected(context, planned);
}

/** The interrupted task with the answer. It keeps its id, and therefore its branch and its comment. */
async function answeredTask(context: RepositoryContext, command: ThreadRequest): Promise<TaskPlan> {
  const resumed = await resumeCommand(context, command);
  if (typeof resumed === 'string') {
    const { task } = await taskOfCommand(context, command);
    return { task, refused: refuseTask('abstained', resumed) };
  }
  return taskOfCommand(context, resumed.command, resumed);
}

/** The run at work finds this command by itself. It is answered if there was none, or if that run may be gone. */
async function stopWatch(context: RepositoryContext, command: ThreadRequest): Promise<TaskPlan> {
  const ended = await endWatch(context, command);
  if (await wasTaken(context, command)) return quiet('STOPPED_BY_PERSON');
  const states = await findStates(context, command.conversation);
  if (ended !== undefined) return reply(context, command, ended);
  if (![...states.values()].includes(atWork))
    return reply(context, command, refuseTask('no_change', 'STOP_NOTHING'));
  const message =
    'Photon’s comment shows a run at work. It ends when it next reads this conversation. If its workflow has ended, there is nothing to stop.';
  return reply(context, command, refuseTask('no_change', 'STOP_NOTHING', message));
}

/** The last task of the conversation, whatever happened to its pull request. */
async function retriedTask(context: RepositoryContext, command: ThreadRequest): Promise<TaskPlan> {
  const retried = await findRetried(context, command);
  if (retried === undefined)
    return reply(context, command, refuseTask('abstained', 'RETRY_NOTHING'));
  const { kind, number } = command.conversation;
  const labelled = { ...command, kind: 'label', verb: 'fix', text: '' } as const;
  if (retried === 'issue')
    return taskOfCommand(context, { ...labelled, conversation: { kind, number } });
  return taskOfCommand(context, retried.command, retried);
}

/** All commands with their descriptions. */
function helpAnswer(): TaskRefusal {
  const rows = Object.values(verbs).map(({ usage, does }) => [usage, does]);
  return {
    ...refuseTask('no_change', 'ANSWERED'),
    commandAnswer: {
      heading: 'Photon commands',
      lines: [
        'Write a command at the start of a line of a new comment, outside of code and quotes. Commands from people without write access are ignored.',
      ],
      table: { head: ['command', 'what it does'], rows },
    },
  };
}

/** The reply to an unknown command: the command that was probably meant, and where to find all of them. */
function unknownAnswer(typed: string): TaskRefusal {
  const near = nearestVerb(typed);
  const meant = near === undefined ? '' : ` Did you mean \`${verbs[near].usage}\`?`;
  return {
    ...refuseTask('no_change', 'COMMAND_UNKNOWN'),
    commandAnswer: {
      heading: '',
      lines: [`Unknown command.${meant} \`/photon help\` lists all commands.`],
    },
  };
}

const ended = /<!-- photon:end=([A-Z_]{3,40}) -->/;

/**
 * A table row for each task, with the state in Photon's comment and the last pull request.
 * @throws PhotonError `GITHUB_*`.
 */
async function statusAnswer(
  context: RepositoryContext,
  { conversation }: ThreadRequest,
): Promise<TaskRefusal> {
  const { number } = conversation;
  const pulls = await listOwnPulls(context, number);
  const states = await findStates(context, conversation);
  const tasks = [...new Set([...states.keys(), ...pulls.map(p => p.taskId)])];
  const rows = tasks.map(task => row(task, states.get(task) ?? '–', pulls));
  const none = 'Photon has no task and no pull request in this conversation.';
  return {
    ...refuseTask('no_change', 'ANSWERED'),
    commandAnswer: {
      heading: 'Photon in this conversation',
      lines: rows.length === 0 ? [none] : [],
      table:
        rows.length === 0
          ? undefined
          : { head: ['task', 'last run', 'pull request', 'state'], rows },
    },
  };
}

/** The state of each task, by Photon's own comments. @throws PhotonError `GITHUB_*`. */
async function findStates(
  context: RepositoryAccess,
  conversation: Conversation,
): Promise<ReadonlyMap<string, string>> {
  const { github } = context;
  const self = await github.self();
  const comments = await listAllComments(github, conversation);
  const states = new Map<string, string>();
  for (const comment of comments) {
    const task = isOwn(comment, self) ? taskMark.exec(comment.body ?? '')?.[1] : undefined;
    if (task !== undefined && /^(?:fix|issue)-/.test(task))
      states.set(task, findState(comment.body));
  }
  return states;
}

/** State of a task whose run has not ended. */
const atWork = 'at work';

/** State of the task by Photon's comment: the code of its ending, or `atWork`. */
function findState(body = ''): string {
  return ended.exec(body)?.[1] ?? atWork;
}

function row(task: string, state: string, pulls: readonly OwnPull[]): readonly string[] {
  const last = pulls.find(p => p.taskId === task);
  return [task, state, last === undefined ? '–' : `#${last.number}`, last?.state ?? '–'];
}
