/** The base of a pull request that is reviewed: the changes that turn the checkout into it. */

import type { Task } from '../../task.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Attendance } from '../host.ts';
import { messageOf } from './api/github-errors.ts';
import { fetchDrift, RemoteTrees } from './api/remote-tree.ts';
import type { GitHubEnvironment } from './auth/repository-context.ts';

/**
 * For a review: reads the base once, at its first use: the latest commit that the branches have in common. Null if the difference is
 * too large or cannot be read; then nothing is proven by comparison.
 */
export function openReviewBase(
  { github, repository, git, log }: GitHubEnvironment,
  { headBranch, review }: Task,
): Attendance['reviewBase'] {
  if (review === undefined) return undefined;
  let read: Promise<readonly FileChange[] | null> | null = null;
  const fetch = async () => {
    if (headBranch === undefined) return null;
    const trees = new RemoteTrees(await github(), repository);
    const base = await trees.mergeBase(headBranch.base, headBranch.sha);
    const drift = await fetchDrift(trees, { from: git.fullTree, to: await trees.treeOf(base) });
    return drift?.filter(change => !git.withholds(change.path)) ?? null;
  };
  return () => {
    read ??= fetch().catch((error: unknown) => {
      log(`Review: the base of the pull request cannot be read: ${messageOf(error)}`);
      return null;
    });
    return read;
  };
}
