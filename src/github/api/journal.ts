/** Publications on their way, as refs: what was killed between two requests is found by the next run. */
import { type GitHub, splitRepository } from './github.ts';
import { sayingOf } from './github-errors.ts';
import { type RefPlace, readRef, type Swapped, swapRefs } from './swap-refs.ts';

/**
 * Where marks are: out of people's sight, and among the branches where GitHub refuses refs in other
 * places. Neither a branch prefix nor the id of a task holds a dot, so no branch of a task is a mark,
 * and none stands in the way of one.
 */
const folders = ['refs/photon/pending/', 'refs/heads/photon/pending.mark/'] as const;

/** Names that the mark of a branch can have; it points at the commit that the branch was set to. */
export function marksOf(branch: string): readonly [hidden: string, asBranch: string] {
  return [`${folders[0]}${branch}`, `${folders[1]}${branch}`];
}

/** Branch that a ref is the mark of; null for a ref that is none. */
export function branchOfMark(ref: string): string | null {
  const folder = folders.find(each => ref.startsWith(each));
  return folder === undefined ? null : ref.slice(folder.length);
}

/** True for a branch that is a mark, and no branch of a task. */
export function isMarkBranch(branch: string): boolean {
  return branchOfMark(`refs/heads/${branch}`) !== null;
}

/** A publication takes minutes at most; an entry that is older belongs to no living run. */
const staleMs = 30 * 60_000;

/** Most entries that one run clears; the next one takes the rest. */
const maxCleared = 5;

export interface Pending {
  readonly name: string;
  readonly sha: string;
}

/** Everything that is on its way. Throws what Octokit throws. */
export async function listPending(github: GitHub, repository: string): Promise<readonly Pending[]> {
  const where = splitRepository(repository);
  const found: Pending[] = [];
  for (const folder of folders) {
    const ref = folder.replace(/^refs\//, '');
    const { data } = await github.rest.git.listMatchingRefs({ ...where, ref });
    found.push(...data.map(entry => ({ name: entry.ref, sha: entry.object.sha })));
  }
  return found;
}

/**
 * Clears what other runs left behind: a branch that never got its pull request goes, with its entry;
 * where the pull request was made, or the branch was moved since, only the entry goes. Nothing of
 * this may fail a run.
 */
export async function clearStale(
  github: GitHub,
  place: RefPlace,
  { pending, now }: { readonly pending: readonly Pending[]; readonly now: number },
): Promise<void> {
  for (const entry of pending.slice(0, maxCleared)) {
    try {
      if (await isStale(github, place, { entry, now })) await clear(github, place, entry);
    } catch (error) {
      github.log(`GitHub: ${entry.name} could not be cleared: ${sayingOf(error)}`);
    }
  }
}

/** True for an old commit of a task: what somebody pushed to a mark that is a branch is left alone. */
async function isStale(
  github: GitHub,
  { repository }: RefPlace,
  { entry, now }: { readonly entry: Pending; readonly now: number },
): Promise<boolean> {
  const where = splitRepository(repository);
  const { data } = await github.rest.git.getCommit({ ...where, commit_sha: entry.sha });
  const ofTask = /^Photon-Task: /m.test(data.message);
  return ofTask && Date.parse(data.committer.date) < now - staleMs;
}

async function clear(github: GitHub, place: RefPlace, { name, sha }: Pending): Promise<Swapped> {
  const branch = branchOfMark(name) ?? '';
  const where = splitRepository(place.repository);
  const head = `${where.owner}:${branch}`;
  const { data: pulls } = await github.rest.pulls.list({
    ...where,
    head,
    state: 'all' as const,
    per_page: 1,
  });
  const entry = { name, before: sha, after: null };
  const orphan =
    pulls.length === 0 && (await readRef(github, place.repository, `refs/heads/${branch}`)) === sha;
  const left = orphan ? [{ name: `refs/heads/${branch}`, before: sha, after: null }] : [];
  github.log(
    `GitHub: ${branch} was left by a run that was killed; ${orphan ? 'it is removed' : 'its mark is removed'}.`,
  );
  return swapRefs(github, place, [...left, entry]);
}
