/** The pull requests of a workflow: their state, and the commits that people approved. */
import type { TriggerSettings } from '../../../settings/settings.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { isAncestor } from '../api/refs.ts';
import { authorise } from '../auth/authorise.ts';
import type { Pull } from './open-pull.ts';

/** The newest pull request of a branch. */
export interface BranchPull extends Pull {
  readonly state: 'open' | 'merged' | 'closed';
  readonly headSha: string;
}

/** The newest pull request of a branch in any state; null when there was none. Throws PhotonError `GITHUB_*`. */
export async function findPull(
  github: GitHub,
  repository: string,
  branch: string,
): Promise<BranchPull | null> {
  const where = splitRepository(repository);
  const head = `${where.owner}:${branch}`;
  const { data } = await withCodes(github, () =>
    github.rest.pulls.list({
      ...where,
      head,
      per_page: 20,
      state: 'all',
      sort: 'created',
      direction: 'desc',
    }),
  );
  const newest = data.reduce<(typeof data)[number] | null>(
    (a, b) => (a === null || b.number > a.number ? b : a),
    null,
  );
  if (newest === null) return null;
  const { number, html_url, node_id, draft, state, merged_at: mergedAt } = newest;
  const ended = mergedAt === null ? 'closed' : 'merged';
  return {
    number,
    html_url,
    node_id,
    draft,
    state: state === 'open' ? 'open' : ended,
    headSha: newest.head.sha,
  };
}

interface Approvals {
  readonly repository: string;
  readonly number: number;
  readonly allowedActors: TriggerSettings;
  readonly log: (line: string) => void;
}

/**
 * Commits that people with write access have approved, and not withdrawn since.
 * @throws PhotonError `GITHUB_*`.
 */
export async function approvedCommits(
  github: GitHub,
  { repository, number, allowedActors, log }: Approvals,
): Promise<readonly string[]> {
  const latest = new Map<string, Review>();
  for (const review of await listReviews(github, repository, number)) {
    const decides = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(review.state);
    if (review.user !== null && decides) latest.set(review.user.login, review);
  }
  const commits: string[] = [];
  for (const { state, user, commit_id: commit } of latest.values()) {
    if (state !== 'APPROVED' || user === null || commit === null) continue;
    const { login, id, type } = user;
    const { allowed, reason } = await authorise(
      github,
      { repository, allowedActors },
      { login, id, type },
    );
    if (allowed) commits.push(commit);
    else log(`Workflow: the approval by ${login} does not count, because this account ${reason}.`);
  }
  return commits;
}

type Review = Awaited<ReturnType<GitHub['rest']['pulls']['listReviews']>>['data'][number];

/** Reviews in the order of their creation, at most a thousand. */
async function listReviews(
  github: GitHub,
  repository: string,
  number: number,
): Promise<readonly Review[]> {
  const where = { ...splitRepository(repository), pull_number: number, per_page: 100 };
  const reviews: Review[] = [];
  for (let page = 1; page <= 10; page++) {
    const { data } = await withCodes(github, () =>
      github.rest.pulls.listReviews({ ...where, page }),
    );
    reviews.push(...data);
    if (data.length < where.per_page) break;
  }
  return reviews;
}

/** True when a commit contains another one in its history, or is the same. Throws PhotonError `GITHUB_*`. */
export async function holds(
  github: GitHub,
  repository: string,
  { commit, part }: { readonly commit: string; readonly part: string },
): Promise<boolean> {
  if (commit === part) return true;
  return withCodes(github, () => isAncestor(github, repository, { ancestor: part, commit }));
}
