/** `/photon retry`: the last task of a conversation, found again in its comments. */
import { isOwn, listComments } from '../api/comment.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { answersSince, type CommandScope, commandOf, type Resumed } from '../events/answer.ts';
import type { CommentCommand } from '../events/event.ts';
import { findCommand } from '../events/find-command.ts';
import { type CommentReply, type PastComment, pastComment } from '../events/past-comment.ts';

/** A task that is done again: a command with its answers, or an issue that was labelled. */
export type Retried =
  | { readonly kind: 'command'; readonly resumed: Resumed }
  | { readonly kind: 'issue' };

/**
 * The last `fix` or `plan` before this command, unedited and by somebody who may still give it, with
 * the answers since; else the issue itself when a label or assignment had started a run of it. Null
 * when there is neither.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findRetried(
  github: GitHub,
  scope: CommandScope,
  retry: CommentCommand,
): Promise<Retried | null> {
  const { number, kind } = retry.conversation;
  const comments = await listComments(github, scope.repository, number);
  const reviews = kind === 'issue' ? [] : await listReviewWords(github, scope.repository, number);
  const past = [...comments.map(c => pastComment(c, 'issue')), ...reviews]
    .filter((c): c is PastComment => c !== null && c.createdAt <= retry.createdAt)
    .filter(c => c.kind !== retry.conversation.commentKind || c.id !== retry.conversation.commentId)
    .filter(c => ['fix', 'plan'].includes(findCommand(c.body)?.verb ?? ''))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  for (const asked of past) {
    const command = await commandOf(github, scope, { asked, now: retry });
    if (command === null) continue;
    const answers = await answersSince(github, scope, { comments, asked, now: retry });
    return { kind: 'command', resumed: { command, question: '', answers } };
  }
  const self = await github.self();
  const labelled = comments.some(
    c => isOwn(c, self) && c.body?.includes(`<!-- photon:task=issue-${number} -->`),
  );
  return labelled && kind === 'issue' ? { kind: 'issue' } : null;
}

/** The newest comments at lines, and the bodies of reviews, of a pull request. */
async function listReviewWords(
  github: GitHub,
  repository: string,
  number: number,
): Promise<readonly (PastComment | null)[]> {
  const where = { ...splitRepository(repository), pull_number: number, per_page: 100 };
  return withCodes(github, async () => {
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
  });
}
