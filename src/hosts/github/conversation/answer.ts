/** `/photon answer …` and `/photon retry`: the earlier command that goes on, with the question that interrupted it and all answers so far. */
import type { Conversation } from '../../../base/task.ts';
import { listReviews } from '../api/pull-files.ts';
import { authorise } from '../auth/access.ts';
import type { RepositoryAccess } from '../auth/repository-context.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { findCommand, pointTo } from '../parse/find-command.ts';
import { isOwn, listAllComments, listComments, listLineComments, taskMark } from './comment.ts';
import { listTaken, withoutQuotes } from './inbox.ts';
import {
  type CommentKind,
  type PastComment,
  pastComment,
  readPastComment,
} from './past-comment.ts';

/** An earlier command that goes on, with the answers and the words since then. */
export interface ResumedCommand {
  readonly command: ThreadRequest;
  /** The question as Photon posted it, with its choices. */
  readonly question: string;
  readonly answers: readonly GivenAnswer[];
}

interface GivenAnswer {
  readonly by: string;
  readonly text: string;
  /** The question before it, as Photon posted it; empty if there was none. */
  readonly question: string;
}

const marked = /<!-- photon:ask=(issue|review|review-body):(\d{1,18})(?::([0-9a-f]{16}))? -->/;

/**
 * Hidden mark of a question: it names the comment whose command the question interrupts. Empty when the
 * task did not come from a comment.
 */
export function askMarker(conversation: Conversation | undefined): string {
  const comment = conversation?.comment;
  if (comment === undefined) return '';
  const { kind, id, digest } = comment;
  return `<!-- photon:ask=${[kind, id, digest].filter(part => part !== undefined).join(':')} -->`;
}

/**
 * Reconstructs the interrupted command. The mark is only a pointer: the command must be in the same
 * conversation, unedited, and its author must still be allowed to give it.
 * @throws PhotonError `GITHUB_*`.
 */
export async function resumeCommand(
  context: RepositoryAccess,
  answer: ThreadRequest,
): Promise<ResumedCommand | 'ANSWER_UNASKED' | 'ANSWER_UNREADABLE'> {
  const { number } = answer.conversation;
  const { github } = context;
  const comments = await listAllComments(github, answer.conversation);
  const self = await github.self();
  const question = openQuestion(comments.filter(c => isOwn(c, self)));
  const [, kind, id, digest] = marked.exec(question?.body ?? '') ?? [];
  if (question === undefined || kind === undefined) return 'ANSWER_UNASKED';
  const original = await readPastComment(github, {
    kind: kind as CommentKind,
    id: Number(id),
    number,
    digest,
  });
  const command = original && (await findEarlierCommand(context, { original, current: answer }));
  if (original === undefined || command === undefined) return 'ANSWER_UNREADABLE';
  const earlier = await answersSince(context, { comments, original, current: answer });
  const posted = extractQuestion(question.body ?? '');
  const answers = [...earlier, { by: answer.author.login, text: answer.text, question: posted }];
  return { command, question: posted, answers };
}

/** The last question among Photon's own comments; undefined when its task has gone on since. */
function openQuestion<T extends { readonly body?: string | undefined }>(
  own: readonly T[],
): T | undefined {
  const at = own.findLastIndex(c => marked.test(c.body ?? ''));
  const task = taskMark.exec(own[at]?.body ?? '')?.[0] ?? '-';
  return own.slice(at + 1).some(c => c.body?.includes(task)) ? undefined : own[at];
}

/**
 * The `fix`, `plan` or `ask` of an earlier comment as if it were given now; undefined when the comment holds none,
 * or its author is not allowed to give it any more.
 */
async function findEarlierCommand(
  context: RepositoryAccess,
  { original, current }: { readonly original: PastComment; readonly current: ThreadRequest },
): Promise<ThreadRequest | undefined> {
  const found = findCommand(original.body, context.settings.triggers.words);
  if (found?.verb !== 'fix' && found?.verb !== 'plan' && found?.verb !== 'ask') return undefined;
  if (!(await authorise(context, original.author)).allowed) return undefined;
  return {
    ...current,
    verb: found.verb,
    text: found.text,
    model: found.model,
    author: original.author,
    place: original.place,
    conversation: { ...current.conversation, comment: pointTo(original) },
  };
}

/** The fenced question and the list of choices of a posted comment. */
function extractQuestion(body: string): string {
  const fence = /^(`{3,})text\n([\s\S]*?)\n\1$/m.exec(body);
  const choices = [...body.matchAll(/^\d\. .+$/gm)].map(m => m[0]);
  return [fence?.[2] ?? '', ...choices].join('\n').trim();
}

interface AnswerSearch {
  readonly comments: Awaited<ReturnType<typeof listAllComments>>;
  /** The comment whose command the questions were about. */
  readonly original: PastComment;
  /** The command that this process serves; it is no answer to itself. */
  readonly current: ThreadRequest;
}

/** Answers since the original command, and the words that its runs took in, by people who are allowed to give commands. */
async function answersSince(
  context: RepositoryAccess,
  { comments, original, current }: AnswerSearch,
): Promise<readonly GivenAnswer[]> {
  const found: GivenAnswer[] = [];
  const self = await context.github.self();
  const taken = listTaken(comments, self);
  let question = '';
  for (const one of comments) {
    if (isOwn(one, self) && marked.test(one.body ?? '')) question = extractQuestion(one.body ?? '');
    const comment = pastComment(one, 'issue');
    if (comment === undefined || comment.id === current.conversation.comment?.id) continue;
    if (comment.createdAt < original.createdAt || comment.createdAt > current.createdAt) continue;
    const command = findCommand(comment.body, context.settings.triggers.words);
    const isAdded = taken.has(comment.id) && (command === undefined || command.verb === 'fix');
    if (command?.verb !== 'answer' && !isAdded) continue;
    if (!(await authorise(context, comment.author)).allowed) continue;
    const text = command?.text ?? withoutQuotes(comment.body);
    found.push({ by: comment.author.login, text, question: isAdded ? '' : question });
  }
  return found;
}

/**
 * The last `fix` or `plan` before this command, with the answers since. It must be unedited, and its
 * author must still be allowed to give it. Otherwise the issue itself, if a label or an assignment had
 * started a run for it.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findRetried(
  context: RepositoryAccess,
  retry: ThreadRequest,
): Promise<ResumedCommand | 'issue' | undefined> {
  const { github, settings } = context;
  const { number, kind, comment: own } = retry.conversation;
  const comments = await listComments(github, { number });
  const lines = kind === 'issue' ? [] : await listLineComments(github, { number });
  const reviews = kind === 'issue' ? [] : await listReviews(github, number);
  const all = [...comments, ...lines].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const self = await github.self();
  // those are words of the run that took them in, and no task of their own
  const taken = listTaken(all, self);
  const past = [
    ...comments.map(c => pastComment(c, 'issue')),
    ...lines.map(c => pastComment(c, 'review')),
    ...reviews.map(c => pastComment(c, 'review-body')),
  ]
    .filter((c): c is PastComment => c !== undefined && c.createdAt <= retry.createdAt)
    .filter(c => c.kind !== own?.kind || c.id !== own.id)
    .filter(c => ['fix', 'plan'].includes(findCommand(c.body, settings.triggers.words)?.verb ?? ''))
    .filter(c => !taken.has(c.id))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  for (const original of past) {
    const command = await findEarlierCommand(context, { original, current: retry });
    if (command === undefined) continue;
    const answers = await answersSince(context, { comments: all, original, current: retry });
    return { command, question: '', answers };
  }
  const labelled = comments.some(
    c => isOwn(c, self) && c.body?.includes(`<!-- photon:task=issue-${number} -->`),
  );
  return labelled && kind === 'issue' ? 'issue' : undefined;
}
