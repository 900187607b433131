/** An authorised command ► a task, with the pull request's head pinned to the comment's moment. */
import { createHash } from 'node:crypto';
import { type Code, codes } from '../../codes.ts';
import type { TriggerSettings } from '../../settings/settings.ts';
import type { ContextText, Task } from '../../task.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { decideAccess } from '../auth/access.ts';
import { mayWrite } from '../auth/authorise.ts';
import type { Resumed } from './answer.ts';
import type { CommentCommand, Thread } from './event.ts';
import { wasPushedAfter } from './pushed-after.ts';

export interface CommandOptions {
  readonly repository: string;
  /** Branch for results of issue commands. */
  readonly baseRef: string;
  readonly untrustedText: 'hide' | 'show';
  readonly triggers: TriggerSettings;
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
  command: CommentCommand,
  options: CommandOptions,
): Promise<CommandAnswer> {
  const words = options.clean(command.words);
  const answers = (options.resumed?.answers ?? []).map(a => ({ ...a, ...options.clean(a.text) }));
  const asked = words.text.trim() || 'Fix what is described below.';
  const shown = await showableContext(github, command, options);
  const context = shown.map(c => ({ ...c, cleaned: options.clean(c.text) }));
  const { number, kind } = command.conversation;
  const until = untilOf(command, options.triggers);
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
    ...(words.text.trim() === '' ? { title: options.clean(command.issue.title).text } : {}),
    ...(command.place === null ? {} : { place: command.place }),
    ...(until === null ? {} : { until }),
  };
  if (words.text.trim() === '' && task.context.every(c => c.text.trim() === ''))
    return refuse(task, 'abstained', 'TASK_EMPTY');
  return kind === 'pull-request' ? withHead(github, task, { command, options }) : { task };
}

/** Where a run of this command stops; null: at its end. */
export function untilOf(
  { verb }: { readonly verb: CommentCommand['verb'] },
  { approve }: TriggerSettings,
): 'plan' | 'approval' | null {
  if (verb === 'plan') return 'plan';
  return approve === 'required' ? 'approval' : null;
}

/** `fix-12-1a2b3c4d`: the same words in the same place are the same task. */
export function taskId(prefix: string, words: string): string {
  return `${prefix}-${createHash('sha256').update(words).digest('hex').slice(0, 8)}`;
}

function refuse(task: Task, status: 'abstained' | 'failed', code: Code): CommandAnswer {
  return { task, refused: { status, code, message: codes[code].meaning } };
}

/** The words of an issue or pull request, when they may be shown to the model. */
export async function threadText(
  github: GitHub,
  thread: Thread & { readonly label: string },
  options: Pick<CommandOptions, 'repository' | 'untrustedText'> & { readonly by: { id: number } },
): Promise<readonly ContextText[]> {
  const { title, body, author, label } = thread;
  const show =
    options.untrustedText === 'show' ||
    author.id === options.by.id ||
    (await mayWrite(github, options.repository, author));
  return show ? [{ label, author: author.login, text: `${title}\n\n${body}`.trim() }] : [];
}

/** Title and body are shown when their author has write access, or a setting shows everybody's. */
async function showableContext(
  github: GitHub,
  command: CommentCommand,
  options: CommandOptions,
): Promise<readonly ContextText[]> {
  const label = command.conversation.kind === 'issue' ? 'Issue' : 'Pull request';
  const thread = await threadText(
    github,
    { ...command.issue, label },
    { ...options, by: command.author },
  );
  const question = options.resumed?.question ?? '';
  const { place, author } = command;
  return [
    ...thread,
    ...(question === ''
      ? []
      : [{ label: 'Question that was asked', author: 'Photon', text: question }]),
    ...(place === null
      ? []
      : [{ label: 'Place of the review comment', author: author.login, text: placeText(place) }]),
  ];
}

function placeText({ path, startLine, endLine }: NonNullable<CommentCommand['place']>): string {
  if (startLine === null || endLine === null) return path;
  return startLine === endLine ? `${path}:${endLine}` : `${path}:${startLine} to line ${endLine}`;
}

/** On a pull request the result goes onto its head branch, from the commit that was asked about. */
async function withHead(
  github: GitHub,
  task: Task,
  { command, options }: { readonly command: CommentCommand; readonly options: CommandOptions },
): Promise<CommandAnswer> {
  const { data: pull } = await withCodes(github, () =>
    github.rest.pulls.get({
      ...splitRepository(task.repository),
      pull_number: command.conversation.number,
    }),
  );
  const { repo } = pull.head;
  const fork = repo === null || repo?.id !== pull.base.repo.id;
  const may = decideAccess('comment', 'writer', { fork, forks: options.triggers.forks });
  if (may !== 'run' && may !== 'suggest') return refuse(task, 'failed', 'FORK_PULL_REQUEST');
  // the repository of a fork that was deleted has no branch whose pushes could be looked up
  if (repo === null) return refuse(task, 'failed', 'FORK_PULL_REQUEST');
  if (pull.state !== 'open') return refuse(task, 'abstained', 'PULL_REQUEST_CLOSED');
  const { ref, sha } = pull.head;
  const headBranch = { number: pull.number, ref, sha, base: pull.base.ref, fork };
  // a fork's branch is none of this repository: its base is where a patch of it would belong
  const withBranch: Task = { ...task, baseRef: fork ? pull.base.ref : ref, headBranch };
  // a review names its commit; for a comment the time of the last push decides
  const moved =
    command.headSha === null
      ? await wasPushedAfter(github, {
          repository: repo.full_name,
          ref,
          sha,
          fork,
          asked: Date.parse(command.createdAt),
          base: task.repository,
        })
      : command.headSha !== sha;
  if (moved === null) return refuse(withBranch, 'abstained', 'HEAD_UNKNOWN');
  return moved ? refuse(withBranch, 'failed', 'HEAD_MOVED') : { task: withBranch };
}
