/** `/photon answer …`: finds the question that is open, the command it came from, and all answers so far. */
import type { Conversation } from '../task.ts';
import { authorise } from './authorise.ts';
import { type GitHub, githubError, splitRepository, statusOf } from './client.ts';
import { listComments } from './comment.ts';
import { type Author, type Command, findCommand } from './event.ts';

/** A command that a question interrupted, with what was answered since. */
export interface Resumed {
  readonly command: Command;
  /** The question as Photon posted it, with its choices. */
  readonly question: string;
  readonly answers: readonly { readonly by: string; readonly text: string }[];
}

export type ResumeAnswer =
  | { readonly ok: true; readonly resumed: Resumed }
  | { readonly ok: false; readonly code: 'ANSWER_UNASKED' | 'ANSWER_UNREADABLE' };

const marked = /<!-- photon:ask=(issue|review):(\d{1,18}) -->/;

/** Hidden mark of a question: the comment whose command it interrupts. */
export function askMarker(conversation: Conversation | undefined): string {
  const { commentId, commentKind } = conversation ?? {};
  return commentId === undefined || commentKind === undefined
    ? ''
    : `<!-- photon:ask=${commentKind}:${commentId} -->`;
}

/**
 * Puts the interrupted command together again. The mark is only a pointer: the command it points to
 * must stand in the same conversation, unedited, by a person who may give it now.
 * @throws PhotonError `GITHUB_*`.
 */
export async function resumeCommand(
  github: GitHub,
  repository: string,
  answer: Command,
): Promise<ResumeAnswer> {
  const comments = await listComments(github, repository, answer.conversation.number);
  const question = comments.findLast(c => c.user?.type === 'Bot' && marked.test(c.body ?? ''));
  const [, kind, id] = marked.exec(question?.body ?? '') ?? [];
  if (question === undefined || kind === undefined) return { ok: false, code: 'ANSWER_UNASKED' };
  const asked = await readComment(github, repository, { kind, id: Number(id) });
  const command = asked === null ? null : findCommand(asked.body);
  const whole =
    asked !== null &&
    asked.number === answer.conversation.number &&
    command?.verb === 'fix' &&
    (await authorise(github, repository, asked.author)).allowed;
  if (!whole) return { ok: false, code: 'ANSWER_UNREADABLE' };
  const earlier = await earlierAnswers(github, repository, {
    comments,
    answer,
    since: asked.createdAt,
  });
  const resumed: Command = {
    ...answer,
    verb: 'fix',
    words: command.words,
    author: asked.author,
    place: asked.place,
    conversation: {
      ...answer.conversation,
      commentId: Number(id),
      commentKind: kind === 'review' ? 'review' : 'issue',
    },
  };
  const answers = [...earlier, { by: answer.author.login, text: answer.words }];
  return {
    ok: true,
    resumed: { command: resumed, question: questionOf(question.body ?? ''), answers },
  };
}

/** The fenced question and the list of choices of a posted comment. */
function questionOf(body: string): string {
  const fence = /^(`{3,})text\n([\s\S]*?)\n\1$/m.exec(body);
  const choices = [...body.matchAll(/^\d\. .+$/gm)].map(m => m[0]);
  return [fence?.[2] ?? '', ...choices].join('\n').trim();
}

interface Asked {
  readonly body: string;
  readonly author: Author;
  readonly createdAt: string;
  readonly number: number;
  readonly place: string;
}

/** A comment as it was first written; null when it is gone, edited, or not by a person. */
async function readComment(
  github: GitHub,
  repository: string,
  { kind, id }: { kind: string; id: number },
): Promise<Asked | null> {
  const where = { ...splitRepository(repository), comment_id: id };
  const { rest, signal } = github;
  try {
    if (kind === 'issue') {
      const { data } = await rest.issues.getComment(where);
      return asAsked(data, { thread: data.issue_url, place: '' });
    }
    const { data } = await rest.pulls.getReviewComment(where);
    const place = data.line ? `${data.path}:${data.line}` : data.path;
    return asAsked(data, { thread: data.pull_request_url, place });
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw githubError(error, signal);
  }
}

interface ReadComment {
  readonly body?: string;
  readonly user: Author | null;
  readonly created_at: string;
  readonly updated_at: string;
}

function asAsked(
  comment: ReadComment,
  { thread, place }: { thread: string; place: string },
): Asked | null {
  const { body = '', user, created_at: createdAt, updated_at: updatedAt } = comment;
  if (user?.type !== 'User' || createdAt !== updatedAt) return null;
  const author = { login: user.login, id: user.id, type: user.type };
  return { body, author, createdAt, place, number: Number(/\/(\d+)$/.exec(thread)?.[1]) };
}

interface AnswersSince {
  readonly comments: Awaited<ReturnType<typeof listComments>>;
  readonly answer: Command;
  readonly since: string;
}

/** Answers to earlier questions of the same command, by people who may answer. */
async function earlierAnswers(
  github: GitHub,
  repository: string,
  { comments, answer, since }: AnswersSince,
): Promise<readonly { by: string; text: string }[]> {
  const found: { by: string; text: string }[] = [];
  for (const comment of comments) {
    const { user, body, created_at: at } = comment;
    if (comment.id === answer.conversation.commentId || user?.type !== 'User') continue;
    if (at !== comment.updated_at || at < since || at > answer.createdAt) continue;
    const command = findCommand(body ?? '');
    if (command?.verb !== 'answer') continue;
    const { login, type } = user;
    if (!(await authorise(github, repository, { login, type })).allowed) continue;
    found.push({ by: login, text: command.words });
  }
  return found;
}
