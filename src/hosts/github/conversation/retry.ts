/** `/photon retry`: finds the last task of a conversation in its comments. */
import type { GitHub } from '../api/github.ts';
import type { RepositoryAccess } from '../auth/repository-context.ts';
import type { CommentCommand } from '../parse/event.ts';
import { findCommand } from '../parse/find-command.ts';
import { answersSince, findEarlierCommand, type ResumedCommand } from './answer.ts';
import { isOwn, listAllComments, listComments } from './comment.ts';
import { type CommentReply, type PastComment, pastComment } from './past-comment.ts';

/** The task to run again: a command with its answers, or an issue that was labelled. */
type RetriedTask =
  | { readonly kind: 'command'; readonly resumed: ResumedCommand }
  | { readonly kind: 'issue' };

/**
 * The last `fix` or `plan` before this command, with the answers since. It must be unedited, and its
 * author must still be allowed to give it. Otherwise the issue itself, if a label or an assignment had
 * started a run for it. Null when there is neither.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findRetried(
  context: RepositoryAccess,
  retry: CommentCommand,
): Promise<RetriedTask | undefined> {
  const { github, settings } = context;
  const { number, kind } = retry.conversation;
  const comments = await listComments(github, { number });
  const reviews = kind === 'issue' ? [] : await listReviewComments(github, number);
  const past = [...comments.map(c => pastComment(c, 'issue')), ...reviews]
    .filter((c): c is PastComment => c !== undefined && c.createdAt <= retry.createdAt)
    .filter(c => c.kind !== retry.conversation.commentKind || c.id !== retry.conversation.commentId)
    .filter(c => ['fix', 'plan'].includes(findCommand(c.body, settings.triggers.words)?.verb ?? ''))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  for (const original of past) {
    const command = await findEarlierCommand(context, { original, current: retry });
    if (command === undefined) continue;
    const all = await listAllComments(github, retry.conversation);
    const answers = await answersSince(context, { comments: all, original, current: retry });
    return { kind: 'command', resumed: { command, question: '', answers } };
  }
  const self = await github.self();
  const labelled = comments.some(
    c => isOwn(c, self) && c.body?.includes(`<!-- photon:task=issue-${number} -->`),
  );
  return labelled && kind === 'issue' ? { kind: 'issue' } : undefined;
}

/** The newest line comments and the review texts of a pull request. */
async function listReviewComments(
  github: GitHub,
  number: number,
): Promise<readonly (PastComment | undefined)[]> {
  const where = { ...github.where, pull_number: number, per_page: 100 };
  const { data: lines } = await github.rest.pulls.listReviewComments({
    ...where,
    sort: 'created',
    direction: 'desc',
  });
  const { data: bodies } = await github.rest.pulls.listReviews(where);
  return [
    ...lines.map(c => pastComment(c as CommentReply, 'review')),
    ...bodies.map(c => pastComment(c, 'review-body')),
  ];
}
