/** The findings of a review ► one review of the pull request, updated in target. It is always a comment, never a verdict. */
import type { ReviewFinding, ReviewResult } from '../../../base/findings.ts';
import type { DeliveryResult } from '../../../base/outcome.ts';
import type { AttendedRun, Delivery } from '../../host.ts';
import { type GitHub, noRetry } from '../api/github.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import {
  formatLineComment,
  type LineComment,
  listReviews,
  postReviewOnce,
  type Review,
} from '../api/pull-files.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { isOwn } from '../conversation/comment.ts';
import { fetchReviews, type ReviewThread, resolveThread } from '../conversation/review-threads.ts';
import { withReviewUnread } from './set-branch.ts';

/** The texts of a review. */
export interface RenderReview {
  readonly body: (result: ReviewResult) => string;
  readonly finding: (finding: ReviewFinding) => string;
}

interface Target {
  readonly github: GitHub;
  readonly number: number;
  readonly render: RenderReview;
}

/** Hidden mark of the review. */
const reviewMark = '<!-- photon:findings -->';

const findingMark = ({ fingerprint, proof }: ReviewFinding) =>
  `<!-- photon:finding=${fingerprint}:${proof?.kind ?? 'opinion'} -->`;

/**
 * Posts the findings that are new, updates the review, and resolves threads of findings that were fixed. Nothing is
 * posted for a review without findings, unless there was one before. Other endings stay as they are.
 * @throws PhotonError `GITHUB_*`.
 */
export async function postReview(
  environment: GitHubEnvironment,
  { task, mode, note }: AttendedRun,
  [ending, render]: readonly [Delivery, RenderReview],
): Promise<Delivery> {
  const { review } = ending;
  if (review === undefined || task.review === undefined || mode.target !== 'publish') return ending;
  const { github } = environment;
  const { number } = task.review;
  const target: Target = { github, number, render };
  const { operation, notes } = await publishReview(target, review).catch((error: unknown) => {
    throw withReviewUnread(github, error, number);
  });
  for (const each of notes) note(each);
  return { ...ending, delivered: { kind: 'review', pullRequestNumber: number, operation } };
}

interface PostedReview {
  readonly operation: DeliveryResult['operation'];
  readonly notes: readonly string[];
}

async function publishReview(target: Target, review: ReviewResult): Promise<PostedReview> {
  const threads = await listOwnThreads(target);
  const known = new Set(threads.map(t => t.fingerprint));
  const fresh = review.findings.filter(f => !known.has(f.fingerprint));
  const notes = await resolveFixed(target, review, threads);
  const own = await findReview(target);
  const body = `${target.render.body(review).trimEnd()}\n${reviewMark}\n`;
  if (own === undefined && review.findings.length === 0) return { operation: 'none', notes };
  if (own === undefined) {
    const left = await createReview(target, { review, body, fresh });
    return {
      operation: 'created',
      notes: [...notes, ...(await addComments(target, review, left))],
    };
  }
  if (own.body !== body)
    await target.github.rest.pulls.updateReview({
      ...getPullAddress(target),
      review_id: own.id,
      body,
    });
  const refusedLines = await addComments(target, review, fresh);
  return { operation: 'updated', notes: [...notes, ...refusedLines] };
}

function getPullAddress({ github, number }: Target) {
  return { ...github.where, pull_number: number };
}

/** Photon's last review with findings. */
async function findReview(target: Target): Promise<Review | undefined> {
  const self = await target.github.self();
  const reviews = await listReviews(target.github, target.number);
  return reviews.findLast(r => isOwn(r, self) && r.body.includes(reviewMark));
}

interface NewFindings {
  readonly review: ReviewResult;
  readonly body: string;
  readonly fresh: readonly ReviewFinding[];
}

/** Posts the review with its comments. @returns those that are still to be posted one by one. */
async function createReview(
  target: Target,
  { review, body, fresh }: NewFindings,
): Promise<readonly ReviewFinding[]> {
  const { github, number } = target;
  const create = (findings: readonly ReviewFinding[]) => {
    const comments = findings.map(f => makeComment(target, f));
    const posted = { number, commit: review.head, body, comments };
    return postReviewOnce(github, posted, async () => (await findReview(target))?.id);
  };
  try {
    await create(fresh);
    return [];
  } catch (error) {
    if (getStatus(error) !== 422 || fresh.length === 0) throw error;
    // GitHub refuses the whole review because of one line
    await create([]);
    return fresh;
  }
}

function makeComment({ render }: Target, finding: ReviewFinding): LineComment {
  const { path, start, end } = finding;
  const body = `${render.finding(finding).trimEnd()}\n${findingMark(finding)}\n`;
  return { path, start, end, body };
}

/** Posts findings one by one. @returns a note for each that GitHub refuses. */
async function addComments(
  target: Target,
  { head }: ReviewResult,
  findings: readonly ReviewFinding[],
): Promise<readonly string[]> {
  const { github } = target;
  const notes: string[] = [];
  for (const finding of findings) {
    try {
      await github.createOnce(
        async () => {
          const { data } = await github.rest.pulls.createReviewComment({
            ...getPullAddress(target),
            commit_id: head,
            ...formatLineComment(makeComment(target, finding)),
            ...noRetry,
          });
          return data.id;
        },
        async () => {
          const threads = await listOwnThreads(target);
          return threads.some(t => t.fingerprint === finding.fingerprint) ? 0 : undefined;
        },
      );
    } catch (error) {
      if (getStatus(error) !== 422) throw error;
      notes.push(
        `GitHub refused a finding on ${finding.path}:${finding.end}: ${formatMessage(error)}`,
      );
    }
  }
  return notes;
}

/**
 * Resolves open threads of Photon whose finding was fixed: its lines changed and it was not found again, or the check
 * that reported it ran and reports it no more. That a model is silent about a finding proves nothing.
 */
async function resolveFixed(
  { github }: Target,
  { findings, checksRan }: ReviewResult,
  threads: readonly FindingThread[],
): Promise<readonly string[]> {
  const current = new Set(findings.map(f => f.fingerprint));
  const fixed = threads.filter(
    t =>
      !t.isResolved &&
      !current.has(t.fingerprint) &&
      (t.isOutdated || (t.kind === 'check' && checksRan)),
  );
  const notes: string[] = [];
  for (const { id } of fixed) {
    try {
      await resolveThread(github, id);
    } catch (error) {
      notes.push(`A thread of a fixed finding could not be resolved: ${formatMessage(error)}`);
    }
  }
  return notes;
}

/** A thread that begins with a finding of Photon. */
interface FindingThread extends Pick<ReviewThread, 'id' | 'isResolved' | 'isOutdated'> {
  readonly fingerprint: string;
  /** Kind of its proof, or `opinion`. */
  readonly kind: string;
}

const mark = /<!-- photon:finding=([0-9a-f]{16}):([a-z]{1,20}) -->/;

/** Photon's own threads. Anybody can write the mark, so its author counts. Throws what Octokit throws for a reply with errors. */
async function listOwnThreads({ github, number }: Target): Promise<readonly FindingThread[]> {
  const self = await github.self();
  const { threads } = await fetchReviews(github, number);
  return threads.flatMap(({ opening, ...thread }) => {
    const [, fingerprint, kind] = mark.exec(opening?.body ?? '') ?? [];
    if (!isOwn({ user: opening?.author ?? null }, self)) return [];
    return fingerprint === undefined || kind === undefined
      ? []
      : [{ ...thread, fingerprint, kind }];
  });
}
