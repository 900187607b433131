/** Photon's own pull requests: those of a conversation, and the last one of a branch. */
import type { Settings } from '../../settings/settings.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { isMarkBranch } from '../api/journal.ts';
import type { RepositoryContext } from './repository-context.ts';

export interface OwnPull {
  readonly number: number;
  readonly branch: string;
  readonly sha: string;
  /** Id of the task, from the name of the branch. */
  readonly taskId: string;
  readonly base: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly url: string;
}

/** What the search for own pull requests needs. */
export interface OwnPullsContext extends Pick<RepositoryContext, 'github' | 'repository'> {
  readonly settings: Pick<Settings, 'branchPrefix'>;
}

type Listed = Awaited<ReturnType<GitHub['rest']['pulls']['list']>>['data'][number];

/** Maximum number of pages of 100 pull requests that are searched, newest first. */
const maxPages = 5;

/**
 * Pull requests whose branch is in this repository, has Photon's prefix, and is named after a task of
 * this issue or pull request. A pull request of Photon's own counts for itself, too. Newest first.
 * @throws PhotonError `GITHUB_*`.
 */
export async function listOwnPulls(
  context: OwnPullsContext,
  number: number,
): Promise<readonly OwnPull[]> {
  const github = await context.github();
  const found: OwnPull[] = [];
  const ofThread = new RegExp(`^(?:fix|issue)-${number}(?:-|$)`);
  for (let page = 1; page <= maxPages; page++) {
    const { data } = await withCodes(github, () =>
      github.rest.pulls.list({
        ...splitRepository(context.repository),
        state: 'all',
        sort: 'created',
        direction: 'desc',
        per_page: 100,
        page,
      }),
    );
    for (const pull of data) {
      const own = asOwn(pull, context.settings.branchPrefix);
      if (own !== null && (own.number === number || ofThread.test(own.taskId))) found.push(own);
    }
    if (data.length < 100) break;
  }
  return found;
}

/**
 * The last pull request of a branch in any state; null when there was none.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findLastPull(
  context: OwnPullsContext,
  branch: string,
): Promise<OwnPull | null> {
  const github = await context.github();
  const where = splitRepository(context.repository);
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
  return last === undefined ? null : asOwn(last, context.settings.branchPrefix);
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
