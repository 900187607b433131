/** Commits and diff of a pull request, from its merge base to one commit of it. */
import type { PullDiff } from '../../../tools/pull-diff.ts';
import { type GitHub, splitRepository } from './github.ts';
import { withCodes } from './github-errors.ts';
import { withoutWithheld } from './pull-files.ts';

export interface PullCommit {
  readonly sha: string;
  /** Name in the commit, which its author chose. */
  readonly author: string;
  readonly message: string;
}

export interface PullChanges {
  readonly commits: readonly PullCommit[];
  readonly diff: PullDiff;
}

/** The two commits, or a branch and a commit; and what is left out between them. */
export interface PullRange {
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
  repository: string,
  { base, sha, withholds }: PullRange,
): Promise<PullChanges> {
  const { data } = await withCodes(github, () =>
    github.rest.repos.compareCommitsWithBasehead({
      ...splitRepository(repository),
      basehead: `${base}...${sha}`,
      per_page: 100,
    }),
  );
  const all = data.files ?? [];
  const shown = withoutWithheld(all, withholds);
  const files = shown.map(({ filename, status, additions, deletions, patch = '' }) => ({
    path: filename,
    status,
    added: additions,
    deleted: deletions,
    patch,
  }));
  const commits = data.commits.map(({ sha: id, commit }) => ({
    sha: id,
    author: commit.author?.name ?? '',
    message: commit.message,
  }));
  return { commits, diff: { files, cut: all.length >= maxFiles } };
}
