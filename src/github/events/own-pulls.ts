/** The pull requests of Photon that belong to a conversation. */
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { isMarkBranch } from '../api/journal.ts';

export interface OwnPull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
  /** Task that its branch is named by. */
  readonly taskId: string;
  readonly base: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly url: string;
}

export interface PullQuestion {
  readonly repository: string;
  readonly branchPrefix: string;
}

type Listed = Awaited<ReturnType<GitHub['rest']['pulls']['list']>>['data'][number];

/** Pages of 100 pull requests that are looked through, newest first. */
const maxPages = 5;

/**
 * Pull requests whose branch is in this repository, has Photon's prefix, and is named by a task of
 * this issue or pull request; on a pull request of Photon's own that one, too. Newest first.
 * @throws PhotonError `GITHUB_*`.
 */
export async function listOwnPulls(
  github: GitHub,
  { repository, branchPrefix }: PullQuestion,
  number: number,
): Promise<readonly OwnPull[]> {
  const found: OwnPull[] = [];
  const of = new RegExp(`^(?:fix|issue)-${number}(?:-|$)`);
  for (let page = 1; page <= maxPages; page++) {
    const { data } = await withCodes(github, () =>
      github.rest.pulls.list({
        ...splitRepository(repository),
        state: 'all',
        sort: 'created',
        direction: 'desc',
        per_page: 100,
        page,
      }),
    );
    for (const pull of data) {
      const own = asOwn(pull, branchPrefix);
      if (own !== null && (own.number === number || of.test(own.taskId))) found.push(own);
    }
    if (data.length < 100) break;
  }
  return found;
}

/**
 * The last pull request of one branch, whatever its state; null when there was none.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findLastPull(
  github: GitHub,
  { repository, branchPrefix }: PullQuestion,
  branch: string,
): Promise<OwnPull | null> {
  const where = splitRepository(repository);
  const { data } = await withCodes(github, () =>
    github.rest.pulls.list({
      ...where,
      state: 'all',
      head: `${where.owner}:${branch}`,
      sort: 'created',
      direction: 'desc',
      per_page: 5,
    }),
  );
  const last = [...data].sort((a, b) => b.number - a.number)[0];
  return last === undefined ? null : asOwn(last, branchPrefix);
}

function asOwn(pull: Listed, prefix: string): OwnPull | null {
  const { head, base } = pull;
  if (head.repo?.id !== base.repo.id || !head.ref.startsWith(prefix)) return null;
  if (isMarkBranch(head.ref)) return null;
  const merged = pull.merged_at !== null && pull.merged_at !== undefined;
  return {
    number: pull.number,
    branch: head.ref,
    sha: head.sha,
    base: base.ref,
    taskId: head.ref.slice(prefix.length),
    state: merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    url: pull.html_url,
  };
}
