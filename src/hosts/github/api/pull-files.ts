/** Pull requests as GitHub lists them, and their diffs as it shows them. */
import type { LineSpan } from '../../../base/findings.ts';
import type { PullDiff, PullFile } from '../../../tools/pull-diff.ts';
import { type GitHub, noRetry, readPages } from './github.ts';

export type PullSummary = Awaited<ReturnType<GitHub['rest']['pulls']['list']>>['data'][number];

/** The pull requests of a branch of the repository, newest first; at most 50. @throws PhotonError `GITHUB_*`. */
export async function listPulls(
  { rest, where }: GitHub,
  branch: string,
  state: 'open' | 'closed' | 'all',
): Promise<readonly PullSummary[]> {
  const head = `${where.owner}:${branch}`;
  const { data } = await rest.pulls.list({ ...where, head, state, per_page: 50 });
  return data.toSorted((a, b) => b.number - a.number);
}

/** Whether a pull request is open, merged, or closed without a merge. */
export function readPullState({ state, merged_at }: PullSummary): 'open' | 'merged' | 'closed' {
  if (state === 'open') return state;
  return merged_at == null ? 'closed' : 'merged';
}

export type PullRequest = Awaited<ReturnType<GitHub['rest']['pulls']['get']>>['data'];

/** A pull request by its number. @throws PhotonError `GITHUB_*`. */
export async function readPullRequest(
  { rest, where }: GitHub,
  pull_number: number,
): Promise<PullRequest> {
  return (await rest.pulls.get({ ...where, pull_number })).data;
}

/** A comment on lines of the new side of a diff. */
export interface LineComment extends LineSpan {
  readonly body: string;
}

/** The comment in the fields of a request. */
export function formatLineComment({ path, start, end, body }: LineComment) {
  const one = { path, body, line: end, side: 'RIGHT' as const };
  return start === end ? one : { ...one, start_line: start, start_side: 'RIGHT' as const };
}

export type Review = Awaited<ReturnType<GitHub['rest']['pulls']['listReviews']>>['data'][number];

/** The reviews of a pull request, oldest first. @throws PhotonError `GITHUB_*`. */
export function listReviews(
  { rest, where }: GitHub,
  pull_number: number,
): Promise<readonly Review[]> {
  return readPages(30, at => rest.pulls.listReviews({ ...where, pull_number, ...at }));
}

interface ReviewToPost {
  readonly number: number;
  readonly commit: string;
  readonly body: string;
  readonly comments: readonly LineComment[];
}

/**
 * Posts a review once: a comment, never a verdict. `find` looks for it after a lost reply.
 * @throws PhotonError `GITHUB_*`; all of the review is refused because of one line that the diff does not show.
 */
export async function postReviewOnce(
  github: GitHub,
  { number, commit, body, comments }: ReviewToPost,
  find: () => Promise<number | undefined>,
): Promise<number> {
  const review = {
    ...github.where,
    pull_number: number,
    commit_id: commit,
    body,
    event: 'COMMENT' as const,
    comments: comments.map(formatLineComment),
    ...noRetry,
  };
  return github.createOnce(
    async () => (await github.rest.pulls.createReview(review)).data.id,
    find,
  );
}

/** A file of the diff. */
interface DiffFile extends PullFile {
  /** Ranges of lines of the new side that the hunks show. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** Maximum number of pages of 100 files that are read. */
const maxPages = 30;

interface PullFiles {
  readonly number: number;
  /** True for a path whose changes are left out; absent if nobody but GitHub sees the result. */
  readonly withholds?: (path: string) => boolean;
}

/** The files of the diff. @throws PhotonError `GITHUB_*`. */
export async function listPullFiles(
  github: GitHub,
  { number, withholds = () => false }: PullFiles,
): Promise<readonly DiffFile[]> {
  const where = { ...github.where, pull_number: number };
  const files = await readPages(maxPages, at => github.rest.pulls.listFiles({ ...where, ...at }));
  return withoutWithheld(files, withholds).map(file => ({
    ...asPullFile(file),
    ranges: parseRanges(file.patch ?? ''),
  }));
}

/** The files of a diff that may be shown: a file that was renamed counts under both of its names. */
export function withoutWithheld<
  T extends { readonly filename: string; readonly previous_filename?: string | undefined },
>(files: readonly T[], withholds: (path: string) => boolean): readonly T[] {
  return files.filter(f => ![f.filename, f.previous_filename ?? ''].some(withholds));
}

type ListedFile = NonNullable<
  Awaited<ReturnType<GitHub['rest']['repos']['compareCommitsWithBasehead']>>['data']['files']
>[number];

function asPullFile(file: ListedFile): PullFile {
  const { filename: path, status, additions: added, deletions: deleted, patch = '' } = file;
  return { path, status, added, deleted, patch };
}

/** Ranges of the new side, from the headers of the hunks. */
function parseRanges(patch: string): DiffFile['ranges'] {
  return [...patch.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].flatMap(match => {
    const start = Number(match[1]);
    const count = match[2] === undefined ? 1 : Number(match[2]);
    return count === 0 ? [] : [[start, start + count - 1] as const];
  });
}

export interface PullCommit {
  readonly sha: string;
  /** Name in the commit, which its author chose. */
  readonly author: string;
  readonly message: string;
}

interface PullChanges {
  readonly commits: readonly PullCommit[];
  readonly diff: PullDiff;
}

/** The two commits, or a branch and a commit; and what is left out between them. */
interface PullRange {
  readonly base: string;
  readonly sha: string;
  /** True for a path whose changes are left out. */
  readonly withholds: (path: string) => boolean;
}

/** GitHub lists no more files of a comparison. */
const maxFiles = 300;

/**
 * The commits, newest last, and the diff.
 * @throws PhotonError `GITHUB_*`.
 */
export async function fetchPullChanges(
  github: GitHub,
  { base, sha, withholds }: PullRange,
): Promise<PullChanges> {
  const { data } = await github.rest.repos.compareCommitsWithBasehead({
    ...github.where,
    basehead: `${base}...${sha}`,
    per_page: 100,
  });
  const all = data.files ?? [];
  const files = withoutWithheld(all, withholds).map(asPullFile);
  const commits = data.commits.map(({ sha: id, commit }) => ({
    sha: id,
    author: commit.author?.name ?? '',
    message: commit.message,
  }));
  return { commits, diff: { files, cut: all.length >= maxFiles } };
}
