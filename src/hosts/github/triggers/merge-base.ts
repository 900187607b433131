/** Merges the base of a pull request into its head here, where GitHub finds a conflict. */
import { PhotonError } from '../../../base/codes.ts';
import { mergeBranches } from '../../../workspace/commits/merge-branches.ts';
import { joinChanges } from '../../../workspace/commits/reapply.ts';
import type { StartBase } from '../../host.ts';
import { withCodes } from '../api/github-errors.ts';
import { fetchDrift, RemoteTrees } from '../api/remote-tree.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';

interface Commits {
  readonly head: string;
  readonly base: string;
}

/** Most files with conflicts in one step. */
const maxConflicts = 20;

/**
 * The head with the base merged into it, and marks around the conflicts. The checkout may be at another commit.
 * @throws PhotonError `BASE_CONFLICT` for conflicts that only people can resolve; `GITHUB_*`, `GIT`.
 */
export async function openMerge(context: RepositoryContext, commits: Commits): Promise<StartBase> {
  const { git, repository } = context;
  const github = await context.github();
  const found = await withCodes(github, () =>
    readChanges(new RemoteTrees(github, repository), { ...commits, checkout: git.fullTree }),
  );
  const { ours, theirs, drift: toHead, tree } = found;
  if (ours === undefined || theirs === undefined || toHead === undefined)
    throw new PhotonError('BASE_CONFLICT', 'Too much differs between the branches.');
  const merged = await mergeBranches({ ours, theirs }, git.markConflicts);
  const named = (paths: readonly string[]) => paths.slice(0, 5).join(', ');
  if (!merged.ok)
    throw new PhotonError(
      'BASE_CONFLICT',
      `The conflict in ${named(merged.conflicts)} is not one of lines, so it is left to people.`,
    );
  const { changes, marked } = merged;
  const unseen = marked.filter(({ path }) => git.withholds(path));
  if (unseen.length > 0 || marked.length > maxConflicts || marked.length === 0)
    throw new PhotonError(
      'BASE_CONFLICT',
      `These conflicts are left to people: ${named((unseen.length > 0 ? unseen : marked).map(c => c.path))}.`,
    );
  const drift = joinChanges(toHead, changes);
  const over = { commit: commits.head, tree: await git.writeFullTree(drift) };
  const merge = { commit: commits.base, tree, changes, marked };
  return { git: await git.rebased(over), drift, merge };
}

/**
 * The head of a pull request, where the checkout is at another commit.
 * @throws PhotonError `BASE_MOVED` if too much differs; `GITHUB_*`, `GIT`.
 */
export async function openHead(context: RepositoryContext, head: string): Promise<StartBase> {
  const { git, repository } = context;
  const github = await context.github();
  const { tree, drift } = await withCodes(github, async () => {
    const trees = new RemoteTrees(github, repository);
    const to = await trees.readTree(head);
    return { tree: to, drift: await fetchDrift(trees, { from: git.fullTree, to }) };
  });
  if (drift === undefined || (await git.writeFullTree(drift)) !== tree)
    throw new PhotonError('BASE_MOVED', 'The head could not be put together from its changes.');
  return { git: await git.rebased({ commit: head, tree }), drift };
}

async function readChanges(
  trees: RemoteTrees,
  { head, base, checkout }: Commits & { readonly checkout: string },
) {
  const from = await trees.readTree(await trees.mergeBase(base, head));
  const [tree, other] = [await trees.readTree(head), await trees.readTree(base)];
  return {
    tree,
    ours: await fetchDrift(trees, { from, to: tree }),
    theirs: await fetchDrift(trees, { from, to: other }),
    drift: await fetchDrift(trees, { from: checkout, to: tree }),
  };
}
