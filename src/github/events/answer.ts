/** `/photon answer …`: finds the question that is open, the command it came from, and all answers so far. */
import type { Conversation } from '../../task.ts';
import { isOwn, listComments, taskMark } from '../api/comment.ts';
import type { GitHub } from '../api/github.ts';
import { type AllowedActors, authorise } from '../auth/authorise.ts';
import { wordsDigest } from './comment-text.ts';
import type { CommentCommand } from './event.ts';
import { findCommand } from './find-command.ts';
import {
  type CommentKind,
  type PastComment,
  pastComment,
  readPastComment,
} from './past-comment.ts';

/** A command that a question interrupted, with what was answered since. */
export interface Resumed {
  readonly command: CommentCommand;
  /** The question as Photon posted it, with its choices. */
  readonly question: string;
  readonly answers: readonly { readonly by: string; readonly text: string }[];
}

export type ResumeAnswer =
  | { readonly ok: true; readonly resumed: Resumed }
  | { readonly ok: false; readonly code: 'ANSWER_UNASKED' | 'ANSWER_UNREADABLE' };

const marked = /<!-- photon:ask=(issue|review|review-body):(\d{1,18})(?::([0-9a-f]{16}))? -->/;

/**
 * Hidden mark of a question: the comment whose command it interrupts. Empty where the task did not
 * come from a comment.
 */
export function askMarker(conversation: Conversation | undefined): string {
  const { commentId, commentKind, commentDigest } = conversation ?? {};
  if (commentId === undefined || commentKind === undefined) return '';
  const digest = commentDigest === undefined ? '' : `:${commentDigest}`;
  return `<!-- photon:ask=${commentKind}:${commentId}${digest} -->`;
}

/** Where commands are heard, and from whom. */
export interface CommandScope {
  readonly repository: string;
  readonly allowedActors: AllowedActors;
}

/**
 * Puts the interrupted command together again. The mark is only a pointer: the command it points to
 * must stand in the same conversation, unedited, by somebody who may give it now.
 * @throws PhotonError `GITHUB_*`.
 */
export async function resumeCommand(
  github: GitHub,
  scope: CommandScope,
  answer: CommentCommand,
): Promise<ResumeAnswer> {
  const { number } = answer.conversation;
  const comments = await listComments(github, scope.repository, number);
  const self = await github.self();
  const question = openQuestion(comments.filter(c => isOwn(c, self)));
  const [, kind, id, words] = marked.exec(question?.body ?? '') ?? [];
  if (question === undefined || kind === undefined) return { ok: false, code: 'ANSWER_UNASKED' };
  const asked = await readPastComment(github, scope.repository, {
    kind: kind as CommentKind,
    id: Number(id),
    number,
    ...(words === undefined ? {} : { words }),
  });
  const command = asked === null ? null : await commandOf(github, scope, { asked, now: answer });
  if (asked === null || command === null) return { ok: false, code: 'ANSWER_UNREADABLE' };
  const earlier = await answersSince(github, scope, { comments, asked, now: answer });
  const answers = [...earlier, { by: answer.author.login, text: answer.words }];
  return {
    ok: true,
    resumed: { command, question: questionOf(question.body ?? ''), answers },
  };
}

/** The last question of Photon's own comments; undefined when its task went on since. */
function openQuestion<T extends { readonly body?: string | undefined }>(
  own: readonly T[],
): T | undefined {
  const at = own.findLastIndex(c => marked.test(c.body ?? ''));
  const task = taskMark.exec(own[at]?.body ?? '')?.[0] ?? '-';
  return own.slice(at + 1).some(c => c.body?.includes(task)) ? undefined : own[at];
}

/**
 * The task command of an earlier comment as if it were given now; null when it holds none, or its
 * author may not give it any more.
 */
export async function commandOf(
  github: GitHub,
  scope: CommandScope,
  { asked, now }: { readonly asked: PastComment; readonly now: CommentCommand },
): Promise<CommentCommand | null> {
  const found = findCommand(asked.body);
  if (found?.verb !== 'fix' && found?.verb !== 'plan') return null;
  if (!(await authorise(github, scope, asked.author)).allowed) return null;
  return {
    ...now,
    verb: found.verb,
    words: found.words,
    author: asked.author,
    place: asked.place,
    conversation: {
      kind: now.conversation.kind,
      number: now.conversation.number,
      commentId: asked.id,
      commentKind: asked.kind,
      ...(asked.kind === 'review-body' ? { commentDigest: wordsDigest(asked.body) } : {}),
    },
  };
}

/** The fenced question and the list of choices of a posted comment. */
function questionOf(body: string): string {
  const fence = /^(`{3,})text\n([\s\S]*?)\n\1$/m.exec(body);
  const choices = [...body.matchAll(/^\d\. .+$/gm)].map(m => m[0]);
  return [fence?.[2] ?? '', ...choices].join('\n').trim();
}

export interface Since {
  readonly comments: Awaited<ReturnType<typeof listComments>>;
  readonly asked: PastComment;
  readonly now: CommentCommand;
}

/** Answers to questions of the same command, by people who may answer. */
export async function answersSince(
  github: GitHub,
  scope: CommandScope,
  { comments, asked, now }: Since,
): Promise<readonly { by: string; text: string }[]> {
  const found: { by: string; text: string }[] = [];
  for (const one of comments) {
    const comment = pastComment(one, 'issue');
    if (comment === null || comment.id === now.conversation.commentId) continue;
    if (comment.createdAt < asked.createdAt || comment.createdAt > now.createdAt) continue;
    const command = findCommand(comment.body);
    if (command?.verb !== 'answer') continue;
    if (!(await authorise(github, scope, comment.author)).allowed) continue;
    found.push({ by: comment.author.login, text: command.words });
  }
  return found;
}
