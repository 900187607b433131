/** Comments on the lines of which the tests show least: one review, and later runs update its comments. */
import type { DeliveryResult } from '../../../base/outcome.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import { type LineComment, listPullFiles, postReviewOnce } from '../api/pull-files.ts';
import { isOwn, listLineComments } from './comment.ts';

/** A comment on lines of the new side; `fingerprint` has 16 hexadecimal digits. */
export interface NewLineComment extends LineComment {
  readonly fingerprint: string;
}

interface LineCommentRequest {
  readonly delivered: DeliveryResult;
  /** Best first. */
  readonly comments: readonly NewLineComment[];
  /** How many of Photon's comments are open at once. */
  readonly max: number;
}

interface PostedComment {
  readonly id: number;
  readonly body: string;
  readonly fingerprint: string;
}

/** At the end: the text before it can hold code that looks like a mark. */
const mark = /<!-- photon:line=([0-9a-f]{16}) -->\s*$/;
const settled = 'The patch changed since, or the tests show more of this line now.';

/** Posts and updates the comments. It fails no delivery. @returns a note if GitHub refuses. */
export async function commentOnLines(
  github: GitHub,
  request: LineCommentRequest,
): Promise<readonly string[]> {
  const { pullRequestNumber: number, commit } = request.delivered;
  if (number === undefined || commit === undefined) return [];
  const pull = { github, number, commit };
  try {
    const open = await updateOwn(pull, request.comments);
    const shown = await listPullFiles(github, pull);
    const isShown = ({ path, start, end }: NewLineComment) =>
      shown.some(f => f.path === path && f.ranges.some(([a, b]) => a <= start && end <= b));
    const fresh = request.comments
      .filter(c => isShown(c) && !open.has(c.fingerprint))
      .slice(0, Math.max(0, request.max - open.size));
    if (fresh.length > 0) await post(pull, fresh);
    return [];
  } catch (error) {
    return [`The comments on lines could not be posted: ${formatMessage(error)}`];
  }
}

interface CommentedPull {
  readonly github: GitHub;
  readonly number: number;
  readonly commit: string;
}

/** Brings Photon's earlier comments up to date. @returns the fingerprints of those that still hold. */
async function updateOwn(
  pull: CommentedPull,
  comments: readonly NewLineComment[],
): Promise<ReadonlySet<string>> {
  const { github } = pull;
  const open = new Set<string>();
  for (const { id, body, fingerprint } of await listOwn(pull)) {
    const now = comments.find(c => c.fingerprint === fingerprint);
    if (now !== undefined) open.add(fingerprint);
    const text = addFingerprint({ fingerprint, body: now?.body ?? settled });
    if (body.trim() === text.trim()) continue;
    const where = { ...github.where, comment_id: id };
    await github.rest.pulls
      .updateReviewComment({ ...where, body: text })
      .catch((error: unknown) => {
        // another bot's comment with the same mark
        if (getStatus(error) !== 403 && getStatus(error) !== 404) throw error;
      });
  }
  return open;
}

/** Anybody can write the mark, so the author counts, too. */
async function listOwn({ github, number }: CommentedPull): Promise<readonly PostedComment[]> {
  const self = await github.self();
  return (await listLineComments(github, { number })).flatMap(({ id, body = '', user }) => {
    const fingerprint = mark.exec(body)?.[1];
    return fingerprint !== undefined && isOwn({ user }, self) ? [{ id, body, fingerprint }] : [];
  });
}

async function post(pull: CommentedPull, fresh: readonly NewLineComment[]): Promise<void> {
  const comments = fresh.map(each => ({ ...each, body: addFingerprint(each) }));
  const body = 'The lines of this patch of which the tests show least.';
  await postReviewOnce(pull.github, { ...pull, body, comments }, async () => {
    const posted = await listOwn(pull);
    return posted.find(p => fresh.some(f => f.fingerprint === p.fingerprint))?.id;
  });
}

function addFingerprint({
  body,
  fingerprint,
}: Pick<NewLineComment, 'body' | 'fingerprint'>): string {
  return `${body.trimEnd()}\n\n<!-- photon:line=${fingerprint} -->\n`;
}
