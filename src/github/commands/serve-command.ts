/** A command in a comment ► the task it asks for, or the answer that it gets at once. */
import { PhotonError } from '../../codes.ts';
import { removeHiddenText } from '../../guard/hidden-text.ts';
import type { Task } from '../../task.ts';
import { acknowledge } from '../api/comment.ts';
import { decideAccess } from '../auth/access.ts';
import { authorise } from '../auth/authorise.ts';
import { resumeCommand } from '../events/answer.ts';
import { branchOf } from '../events/branch-of.ts';
import { taskOfCommand } from '../events/command-task.ts';
import type { CommentCommand } from '../events/event.ts';
import { issueTask } from '../events/issue.ts';
import { findPersonsNo } from '../events/look-first.ts';
import {
  type Planned,
  quiet,
  type Refused,
  refused,
  type TaskGround,
} from '../events/planned-task.ts';
import { acceptRecords } from './accept.ts';
import { approvePlan } from './approve.ts';
import type { Serving } from './command-context.ts';
import { helpAnswer, unknownAnswer } from './help.ts';
import { findRetried } from './retry.ts';
import { statusAnswer } from './status.ts';
import { undoCommand } from './undo-command.ts';

/**
 * Serves a command. Whoever may not give it gets no answer (a reply is an oracle); whoever may is
 * answered, also when GitHub fails on the way.
 * @throws PhotonError `GITHUB_*` when it is not known who may.
 */
export async function serveCommand(ground: TaskGround, command: CommentCommand): Promise<Planned> {
  const github = await ground.github();
  const { settings, repository, baseRef } = ground;
  const { triggers, untrustedText } = settings;
  const { role, reason } = await authorise(
    github,
    { repository, allowedActors: triggers },
    command.author,
  );
  const may = decideAccess('comment', role, { fork: false, forks: triggers.forks });
  if (may === 'ignore')
    return quiet('NOT_AUTHORISED', `The author of the command may not give it: ${reason}.`);
  await acknowledge(github, repository, command.conversation);
  const making = { repository, baseRef, clean: removeHiddenText, triggers, untrustedText };
  const serving = { github, ground, command, making };
  try {
    return await answerVerb(serving);
  } catch (error) {
    // whoever gave the command saw that it was heard, and is told that it came to nothing
    if (!(error instanceof PhotonError)) throw error;
    return talk(serving, refused('failed', error.code, error.message));
  }
}

function answerVerb(serving: Serving): Promise<Planned> {
  switch (serving.command.verb) {
    case 'fix':
      return fixTask(serving, serving.command);
    case 'plan':
      return taskOfCommand(serving.github, serving.command, serving.making);
    case 'answer':
      return answeredTask(serving);
    case 'retry':
      return retriedTask(serving);
    case 'approve':
      return approvePlan(serving).then(p => ('task' in p ? p : talk(serving, p)));
    case 'undo':
      return undoCommand(serving).then(done => talk(serving, done));
    case 'status':
      return statusAnswer(serving).then(done => talk(serving, done));
    case 'accept':
      return acceptRecords(serving).then(done => talk(serving, done));
    case 'help':
      return Promise.resolve(talk(serving, helpAnswer()));
    case 'unknown':
      return Promise.resolve(talk(serving, unknownAnswer(serving.command.words)));
  }
}

/** An answer of its own to a command that starts no run: its comment is named by the command's. */
function talk({ command, ground }: Serving, done: Refused): Planned {
  const { conversation, author, verb } = command;
  const task: Task = {
    id: `${verb}-${conversation.number}-${conversation.commentId ?? 0}`,
    trigger: 'comment',
    prompt: '',
    context: [],
    askedBy: author.login,
    hiddenRemoved: 0,
    repository: ground.repository,
    baseRef: ground.baseRef,
    conversation,
  };
  return { task, refused: done };
}

/** A closed pull request of the same words is a no, which `retry` alone sets aside. */
async function fixTask(
  { github, ground, making }: Serving,
  command: CommentCommand,
): Promise<Planned> {
  const made = await taskOfCommand(github, command, making);
  if (made.refused !== undefined) return made;
  const question = { ...making, branchPrefix: ground.settings.branchPrefix };
  const no = await findPersonsNo(github, question, branchOf(made.task, ground.settings));
  return no === null ? made : { task: made.task, refused: no };
}

/** The interrupted task again, with the answer; it keeps its id, and so its branch and comment. */
async function answeredTask({ github, command, making }: Serving): Promise<Planned> {
  const scope = { repository: making.repository, allowedActors: making.triggers };
  const answer = await resumeCommand(github, scope, command);
  if (!answer.ok) {
    const { task } = await taskOfCommand(github, command, making);
    return { task, refused: refused('abstained', answer.code) };
  }
  const { resumed } = answer;
  return taskOfCommand(github, resumed.command, { ...making, resumed });
}

/** The last task of the conversation again, whatever became of its pull request. */
async function retriedTask(serving: Serving): Promise<Planned> {
  const { github, command, making, ground } = serving;
  const scope = { repository: making.repository, allowedActors: making.triggers };
  const retried = await findRetried(github, scope, command);
  if (retried === null) return talk(serving, refused('abstained', 'RETRY_NOTHING'));
  if (retried.kind === 'issue')
    return issueTask(ground, { thread: command.issue, by: command.author, cause: 'label' });
  const { resumed } = retried;
  return taskOfCommand(github, resumed.command, { ...making, resumed });
}
