/** A command whose author is allowed to give it ► a task, with the pull request's head as it was at that moment. */
import type { Code } from '../../../base/codes.ts';
import { sum } from '../../../base/plural.ts';
import type { ContextText, HeadBranch, Task } from '../../../base/task.ts';
import { readOutside } from '../../../guard/content/outside-text.ts';
import { findModelRefusal } from '../../../settings/settings.ts';
import { withPermission } from '../../../verify/judge/asked-changes.ts';
import type { TaskFromTrigger } from '../../host.ts';
import { formatLocation } from '../../input-task.ts';
import { cleanTexts, refuseTask, taskId } from '../../planned-task.ts';
import { readCommit } from '../api/commit-objects.ts';
import { type Author, type GitHub, splitRepository } from '../api/github.ts';
import { getStatus } from '../api/github-errors.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { decideAccess, mayWrite } from '../auth/access.ts';
import type { RepositoryAccess, RepositoryContext } from '../auth/repository-context.ts';
import type { ResumedCommand } from '../conversation/answer.ts';
import { findTaskImages, readDiscussion } from '../conversation/background.ts';
import { readPull } from '../conversation/pull-background.ts';
import type { Thread, ThreadRequest } from '../parse/event.ts';
import { chooseEndStage } from '../parse/verbs.ts';
import { asUpdateTask, isUpdatePull } from './update-pull.ts';

/** The question that interrupted a command, and its answers. */
type QuestionAndAnswers = Pick<ResumedCommand, 'question' | 'answers'>;

const noQuestion: QuestionAndAnswers = { question: '', answers: [] };

/**
 * Makes the task of a command whose author is allowed to give it. After a question the task goes on
 * with the answers.
 * @throws PhotonError `GITHUB_*`.
 */
export async function taskOfCommand(
  context: RepositoryContext,
  command: ThreadRequest,
  followUp: QuestionAndAnswers = noQuestion,
): Promise<TaskFromTrigger> {
  const { repository, baseRef, settings, taskTexts } = context;
  const { number, kind } = command.conversation;
  const request = readOutside('comment', command.text);
  const answers = followUp.answers.map(a => ({ ...a, ...readOutside('comment', a.text) }));
  const isReview = command.verb === 'review';
  const trigger = command.kind === 'review' ? 'command' : command.kind;
  const isOfIssue = kind === 'issue' && trigger !== 'command';
  const text = isReview ? 'review' : isOfIssue ? 'issue' : 'command';
  const prompt = request.text.trim() || taskTexts(text, {});
  const shown = await showableContext(context, command, followUp.question);
  const texts = cleanTexts('issue', shown);
  const until = chooseEndStage(command.verb, settings.triggers);
  const task: Task = {
    id: isOfIssue ? `issue-${number}` : taskId(`fix-${number}`, command.text),
    trigger: trigger === 'command' ? 'comment' : trigger,
    prompt: [
      prompt,
      ...answers.map(({ by, text, question }) =>
        taskTexts('answer', { by, text: withPermission(text.trim(), question) }),
      ),
    ].join('\n\n'),
    context: texts.context,
    askedBy: command.author.login,
    repository,
    baseRef,
    conversation: command.conversation,
    hiddenRemoved: sum([request, ...answers, texts].map(c => c.removed)),
    title: request.text.trim() === '' ? readOutside('title', command.issue.title).text : undefined,
    place: command.place,
    until,
    model: command.model,
  };
  const { model } = command;
  const refused = model === undefined ? undefined : findModelRefusal(settings, model);
  if (refused !== undefined) return end(task, 'failed', refused);
  // a review needs none
  const hasWords = request.text.trim() !== '' || isReview;
  const found =
    kind === 'pull-request' ? await withHead(context, command, { task, hasWords }) : { task };
  if (found.refused !== undefined) return found;
  const { discussion, background } = await readBackground(context, command, found.task);
  const complete: Task = {
    ...found.task,
    background: background.length === 0 ? found.task.background : background,
    images: findTaskImages(context, [
      found.task.prompt,
      ...found.task.context.map(c => c.text),
      ...discussion.map(c => c.text),
    ]),
  };
  const isEmpty =
    !hasWords && [...complete.context, ...discussion].every(c => c.text.trim() === '');
  return isEmpty ? end(complete, 'abstained', 'TASK_EMPTY') : { task: complete };
}

/** What the model sees beside the request, as it was at the command. */
async function readBackground(
  context: RepositoryContext,
  command: ThreadRequest,
  { headBranch }: Task,
) {
  const occasion = {
    conversation: command.conversation,
    thread: command.issue,
    at: command.createdAt,
    // a review is shown the diff by itself
    showsDiff: command.verb !== 'review',
  };
  const discussion = await readDiscussion(context, occasion);
  const pull = headBranch === undefined ? undefined : await readPull(context, occasion, headBranch);
  const background = [...(pull?.changes ?? []), ...discussion, ...(pull?.reviews ?? [])];
  return { discussion, background };
}

function end(task: Task, status: 'abstained' | 'failed', code: Code): TaskFromTrigger {
  return { task, refused: refuseTask(status, code) };
}

/**
 * The text of an issue or pull request, if the model may see it: its author asked for the task or has
 * write access, or a setting shows everybody's text.
 */
export async function threadText(
  context: RepositoryAccess,
  { title, body, author, label }: Thread & { readonly label: string },
  by: Pick<Author, 'id'>,
): Promise<readonly ContextText[]> {
  const show =
    context.settings.untrustedText === 'show' ||
    author.id === by.id ||
    (await mayWrite(context.github, author));
  return show ? [{ label, author: author.login, text: `${title}\n\n${body}`.trim() }] : [];
}

async function showableContext(
  context: RepositoryContext,
  { conversation, issue, place, author }: ThreadRequest,
  question: string,
): Promise<readonly ContextText[]> {
  const { taskTexts } = context;
  const label = taskTexts(conversation.kind === 'issue' ? 'issue_label' : 'pull_request_label', {});
  const texts = [...(await threadText(context, { ...issue, label }, author))];
  if (question !== '')
    texts.push({ label: taskTexts('question_label', {}), author: 'Photon', text: question });
  if (place !== undefined)
    texts.push({
      label: taskTexts('location_label', {}),
      author: author.login,
      text: formatLocation(taskTexts, place),
    });
  return texts;
}

/** On a pull request the result goes onto its head branch, on top of the commit that the command was about. */
async function withHead(
  context: RepositoryContext,
  command: ThreadRequest,
  { task, hasWords }: { readonly task: Task; readonly hasWords: boolean },
): Promise<TaskFromTrigger> {
  const { github } = context;
  const pull = await readPullRequest(github, command.conversation.number);
  const { repo } = pull.head;
  const fork = repo === null || repo?.id !== pull.base.repo.id;
  const { forks } = context.settings.triggers;
  const access = decideAccess('comment', 'writer', { fork, forks });
  if (access !== 'run' && access !== 'suggest') return end(task, 'failed', 'FORK_PULL_REQUEST');
  // the fork's repository was deleted, so the pushes to its branch are unknown
  if (repo === null) return end(task, 'failed', 'FORK_PULL_REQUEST');
  if (pull.state !== 'open') return end(task, 'abstained', 'PULL_REQUEST_CLOSED');
  const { ref, sha } = pull.head;
  const headBranch = { number: pull.number, ref, sha, base: pull.base.ref, fork };
  // the branch of a fork is not in this repository, so the task's base is that of the pull request
  const withBranch: Task = { ...task, baseRef: fork ? pull.base.ref : ref, headBranch };
  // a review names its commit; for other comments the time of the last push decides
  const moved =
    command.headSha === undefined
      ? await wasPushedAfter(github, {
          repository: repo.full_name,
          ref,
          sha,
          fork,
          commandMs: Date.parse(command.createdAt),
        })
      : command.headSha !== sha;
  if (moved === undefined) return end(withBranch, 'abstained', 'HEAD_UNKNOWN');
  if (moved) return end(withBranch, 'failed', 'HEAD_MOVED');
  if (fork || !isUpdatePull({ ref, login: pull.user?.login })) return { task: withBranch };
  const commits = { base: pull.base.ref, head: sha, hasWords };
  return { task: await asUpdateTask(context, withBranch, commits) };
}

interface HeadQuestion extends Required<Pick<HeadBranch, 'ref' | 'sha' | 'fork'>> {
  /** Repository of the branch. */
  readonly repository: string;
  /** Moment of the command, ms since the epoch. */
  readonly commandMs: number;
}

/**
 * GitHub's record of pushes decides. If it is not available, the date of the commit decides. Authors
 * can forge that date, so for a fork the answer is then undefined: unknown.
 * @throws PhotonError `GITHUB_*`.
 */
async function wasPushedAfter(github: GitHub, head: HeadQuestion): Promise<boolean | undefined> {
  try {
    const { data } = await github.rest.repos.listActivities({
      ...splitRepository(head.repository),
      ref: `refs/heads/${head.ref}`,
      per_page: 30,
    });
    const push = data.find(a => a.after === head.sha);
    if (push !== undefined) return Date.parse(push.timestamp) > head.commandMs;
  } catch (error) {
    github.log(
      `GitHub: Photon cannot read the record of pushes (${getStatus(error) ?? 'no answer'}).`,
    );
  }
  if (head.fork) return undefined;
  return Date.parse((await readCommit(github, head.sha)).date) > head.commandMs;
}
