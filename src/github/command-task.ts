/** An authorised command ► a task, with the pull request's head pinned to the comment's moment. */
import { createHash } from 'node:crypto';
import { type Code, codes } from '../codes.ts';
import type { ContextText, HeadBranch, Task } from '../task.ts';
import type { Resumed } from './answer.ts';
import { authorise } from './authorise.ts';
import { type GitHub, splitRepository, statusOf, withCodes } from './client.ts';
import type { Command } from './event.ts';

export interface CommandOptions {
  readonly repository: string;
  /** Branch for results of issue commands. */
  readonly baseRef: string;
  readonly untrustedText: 'hide' | 'show';
  readonly clean: (text: string) => { readonly text: string; readonly removed: number };
  /** Set when the command was interrupted by a question and goes on with the answers. */
  readonly resumed?: Pick<Resumed, 'question' | 'answers'>;
}

export type CommandAnswer =
  | { readonly task: Task; readonly refused?: undefined }
  | {
      readonly task: Task;
      readonly refused: {
        readonly status: 'abstained' | 'failed';
        readonly code: Code;
        readonly message: string;
      };
    };

/**
 * Makes the task of a command whose author may give it.
 * @throws PhotonError `GITHUB_*`.
 */
export async function taskOfCommand(
  github: GitHub,
  command: Command,
  options: CommandOptions,
): Promise<CommandAnswer> {
  const words = options.clean(command.words);
  const answers = (options.resumed?.answers ?? []).map(a => ({ ...a, ...options.clean(a.text) }));
  const asked = words.text.trim() || 'Fix what is described below.';
  const shown = await showableContext(github, command, options);
  const context = shown.map(c => ({ ...c, cleaned: options.clean(c.text) }));
  const { number, kind } = command.conversation;
  const task: Task = {
    id: taskId(`fix-${number}`, command.words),
    trigger: 'comment',
    prompt: [asked, ...answers.map(a => `Answer by ${a.by}: ${a.text.trim()}`)].join('\n\n'),
    context: context.map(({ label, author, cleaned }) => ({ label, author, text: cleaned.text })),
    askedBy: command.author.login,
    repository: options.repository,
    baseRef: options.baseRef,
    conversation: command.conversation,
    hiddenRemoved: [words, ...answers, ...context.map(c => c.cleaned)].reduce(
      (sum, c) => sum + c.removed,
      0,
    ),
  };
  if (words.text.trim() === '' && task.context.every(c => c.text.trim() === ''))
    return refuse(task, 'abstained', 'TASK_EMPTY');
  return kind === 'pull-request' ? withHead(github, task, command) : { task };
}

/** `fix-12-1a2b3c4d`: the same words in the same place are the same task. */
export function taskId(prefix: string, words: string): string {
  return `${prefix}-${createHash('sha256').update(words).digest('hex').slice(0, 8)}`;
}

function refuse(task: Task, status: 'abstained' | 'failed', code: Code): CommandAnswer {
  return { task, refused: { status, code, message: codes[code].meaning } };
}

/** Title and body are shown when their author has write access, or a setting shows everybody's. */
async function showableContext(
  github: GitHub,
  command: Command,
  options: CommandOptions,
): Promise<readonly ContextText[]> {
  const question = options.resumed?.question ?? '';
  const place: ContextText[] =
    question === '' ? [] : [{ label: 'Question that was asked', author: 'Photon', text: question }];
  if (command.place !== '')
    place.push({
      label: 'Place of the review comment',
      author: command.author.login,
      text: command.place,
    });
  const { title, body, author } = command.issue;
  const same = author.id === command.author.id;
  const show =
    options.untrustedText === 'show' ||
    same ||
    (await authorise(github, options.repository, author)).allowed;
  if (!show) return place;
  const label = command.conversation.kind === 'issue' ? 'Issue' : 'Pull request';
  return [{ label, author: author.login, text: `${title}\n\n${body}`.trim() }, ...place];
}

/** On a pull request the result goes onto its head branch, from the commit that was asked about. */
async function withHead(github: GitHub, task: Task, command: Command): Promise<CommandAnswer> {
  const repository = splitRepository(task.repository);
  const { data: pull } = await withCodes(github, () =>
    github.rest.pulls.get({ ...repository, pull_number: command.conversation.number }),
  );
  if (pull.head.repo === null || pull.head.repo?.id !== pull.base.repo.id)
    return refuse(task, 'failed', 'FORK_PULL_REQUEST');
  if (pull.state !== 'open') return refuse(task, 'abstained', 'PULL_REQUEST_CLOSED');
  const head: HeadBranch = {
    number: pull.number,
    ref: pull.head.ref,
    sha: pull.head.sha,
    base: pull.base.ref,
  };
  const withBranch: Task = { ...task, baseRef: pull.head.ref, headBranch: head };
  const asked = Date.parse(command.createdAt);
  return (await pushedAfter(github, task.repository, { head, asked }))
    ? refuse(withBranch, 'failed', 'HEAD_MOVED')
    : { task: withBranch };
}

/**
 * True when the head was pushed after the comment was made. GitHub's record of pushes decides; a
 * commit's own date can be forged and is used only where that record is not to be had.
 */
async function pushedAfter(
  github: GitHub,
  repository: string,
  { head, asked }: { head: HeadBranch; asked: number },
): Promise<boolean> {
  const where = splitRepository(repository);
  try {
    const { data } = await github.rest.repos.listActivities({
      ...where,
      ref: `refs/heads/${head.ref}`,
      per_page: 30,
    });
    const push = data.find(a => a.after === head.sha);
    if (push !== undefined) return Date.parse(push.timestamp) > asked;
  } catch (error) {
    github.log(`GitHub: the record of pushes cannot be read (${statusOf(error) ?? 'no answer'}).`);
  }
  const { data: commit } = await withCodes(github, () =>
    github.rest.git.getCommit({ ...where, commit_sha: head.sha }),
  );
  return Date.parse(commit.committer.date) > asked;
}
