/** The verified patch ► one review of the pull request with suggestions, posted once even after retries. */
import { digest } from '../../../base/digest.ts';
import type { DeliveryResult } from '../../../base/outcome.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import {
  type LineComment,
  listPullFiles,
  listReviews,
  postReviewOnce,
  type Review,
} from '../api/pull-files.ts';
import type { PublishResult } from './publish.ts';
import { withReviewUnread } from './set-branch.ts';

/** For each file the ranges of new lines that the diff shows. */
export type DiffRanges = ReadonlyMap<string, readonly (readonly [number, number])[]>;

export interface ReviewText {
  readonly body: string;
  readonly marker: string;
  readonly comments: readonly LineComment[];
}

interface SuggestRequest {
  readonly pull: { readonly number: number; readonly url: string };
  /** Head that the patch was verified on. */
  readonly head: string;
  readonly render: (shown: DiffRanges) => ReviewText;
}

/**
 * Posts the review. A review with the same content about the same commit is left as it is. Older
 * reviews of the task are marked as superseded.
 * @throws PhotonError `GITHUB_*`.
 */
export async function postSuggestions(
  github: GitHub,
  request: SuggestRequest,
): Promise<PublishResult> {
  const text = request.render(await findShown(github, request));
  const mark = reviewMark(request, text);
  const own = (await listReviews(github, request.pull.number)).filter(
    r => r.user?.type === 'Bot' && r.body.includes(text.marker),
  );
  const same = own.find(r => r.body.includes(mark));
  if (same !== undefined) return describeReview(request, 'none', []);
  const notes = await createReview(github, request, { text, mark }).catch((error: unknown) => {
    throw withReviewUnread(github, error, request.pull.number);
  });
  for (const older of own) await supersede(github, request, { older, marker: text.marker });
  return describeReview(request, own.length > 0 ? 'updated' : 'created', notes);
}

function describeReview(
  { pull }: SuggestRequest,
  operation: DeliveryResult['operation'],
  notes: readonly string[],
): PublishResult {
  const where = { pullRequestNumber: pull.number, pullRequestUrl: pull.url };
  return { delivered: { kind: 'suggestions', ...where, operation }, notes };
}

/** Hidden mark of a review's content, so that a lost reply does not lead to a second review. */
function reviewMark({ head }: SuggestRequest, { comments }: ReviewText): string {
  return `<!-- photon:review=${digest(JSON.stringify([head, comments])).slice(0, 32)} -->`;
}

interface NewReview {
  readonly text: ReviewText;
  readonly mark: string;
}

async function createReview(
  github: GitHub,
  request: SuggestRequest,
  { text, mark }: NewReview,
): Promise<readonly string[]> {
  const findPosted = async () =>
    (await listReviews(github, request.pull.number)).find(
      r => r.user?.type === 'Bot' && r.body.includes(mark),
    )?.id;
  const post = async (comments: ReviewText['comments'], body: string) => {
    const { head: commit, pull } = request;
    const review = { number: pull.number, commit, body: `${body.trimEnd()}\n${mark}\n`, comments };
    await postReviewOnce(github, review, findPosted);
  };
  try {
    await post(text.comments, text.body);
    return [];
  } catch (error) {
    if (getStatus(error) !== 422 || text.comments.length === 0) throw error;
    // GitHub refuses the whole review because of one line, so the review gets the patch instead
    await post([], request.render(new Map()).body);
    return [
      `GitHub refused suggestions on these lines, so the review holds a patch: ${formatMessage(error)}`,
    ];
  }
}

async function supersede(
  github: GitHub,
  { pull }: SuggestRequest,
  { older, marker }: { readonly older: Review; readonly marker: string },
): Promise<void> {
  const body = `A newer Photon review replaces this one.\n${marker}\n`;
  if (older.body === body) return;
  const where = { ...github.where, pull_number: pull.number };
  const marked = github.rest.pulls.updateReview({ ...where, review_id: older.id, body });
  await marked.catch((error: unknown) =>
    github.log(`GitHub: Photon could not mark an older review: ${formatMessage(error)}`),
  );
}

async function findShown(github: GitHub, { pull }: SuggestRequest): Promise<DiffRanges> {
  const files = await listPullFiles(github, { number: pull.number });
  return new Map(files.map(({ path, ranges }) => [path, ranges]));
}
