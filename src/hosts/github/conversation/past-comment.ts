/** An earlier comment, read again from GitHub and trusted only if nobody has changed it since. */
import type { CodeLocation, CommandComment } from '../../../base/task.ts';
import type { Author, GitHub } from '../api/github.ts';
import { allowMissing } from '../api/github-errors.ts';
import { findLocation, ownMark, textDigest } from '../parse/find-command.ts';
import type { CommentReply } from './comment.ts';

export type CommentKind = CommandComment['kind'];

/** Identifies a comment. */
interface CommentPointer extends CommandComment {
  /** Number of its issue or pull request. */
  readonly number: number;
}

export interface PastComment {
  readonly id: number;
  readonly kind: CommentKind;
  readonly body: string;
  readonly author: Author;
  readonly createdAt: string;
  readonly place: CodeLocation | undefined;
}

/**
 * The comment as it was first written; undefined when it was deleted or edited, belongs to another
 * conversation, or is Photon's own.
 * @throws PhotonError `GITHUB_*`.
 */
export async function readPastComment(
  github: GitHub,
  pointer: CommentPointer,
): Promise<PastComment | undefined> {
  const found = await allowMissing(fetchComment(github, pointer));
  const read = found && pastComment(found.comment, pointer.kind);
  if (read === undefined || Number(/\/(\d+)$/.exec(found?.thread ?? '')?.[1]) !== pointer.number)
    return undefined;
  // only the text shows whether a review was edited
  const unedited = pointer.kind !== 'review-body' || textDigest(read.body) === pointer.digest;
  return unedited ? read : undefined;
}

async function fetchComment(
  github: GitHub,
  { kind, id, number }: CommentPointer,
): Promise<{ comment: CommentReply; thread: string }> {
  const { rest, where } = github;
  switch (kind) {
    case 'issue': {
      const { data } = await rest.issues.getComment({ ...where, comment_id: id });
      return { comment: data, thread: data.issue_url };
    }
    case 'review': {
      const { data } = await rest.pulls.getReviewComment({ ...where, comment_id: id });
      return { comment: data, thread: data.pull_request_url };
    }
    case 'review-body': {
      const { data } = await rest.pulls.getReview({ ...where, pull_number: number, review_id: id });
      return { comment: data, thread: data.pull_request_url };
    }
  }
}

/** A comment from a reply; undefined when it was edited, has no author, or is Photon's own. */
export function pastComment(comment: CommentReply, kind: CommentKind): PastComment | undefined {
  const { id, body = '', user } = comment;
  const createdAt = comment.created_at ?? comment.submitted_at;
  if (user === null || createdAt === undefined || ownMark.test(body)) return undefined;
  if (comment.updated_at !== undefined && comment.updated_at !== createdAt) return undefined;
  const author = { login: user.login, id: user.id, type: user.type };
  return { id, kind, body, author, createdAt, place: findLocation(comment) };
}
