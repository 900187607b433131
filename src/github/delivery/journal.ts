/** Publications on their way, as refs: what was killed between two requests is found by the next run. */
import { type GitHub, sayingOf, splitRepository } from '../client.ts';
import { readRef, type Swapped, swapRefs } from './swap-refs.ts';

const folder = 'photon/pending/';

/** Name of the journal's ref for a branch; it points at the commit that the branch was set to. */
export function pendingRef(branch: string): string {
  return `refs/${folder}${branch}`;
}

/** A publication takes minutes at most; an entry that is older belongs to no living run. */
const staleMs = 30 * 60_000;

/** Most entries that one run clears; the next one takes the rest. */
const mostCleared = 5;

export interface Pending {
  readonly name: string;
  readonly sha: string;
}

/** Everything that is on its way. Throws what Octokit throws. */
export async function listPending(github: GitHub, repository: string): Promise<readonly Pending[]> {
  const where = splitRepository(repository);
  const { data } = await github.rest.git.listMatchingRefs({ ...where, ref: folder });
  return data.map(entry => ({ name: entry.ref, sha: entry.object.sha }));
}

interface Place {
  readonly repository: string;
  readonly nodeId: string;
}

/**
 * Clears what other runs left behind: a branch that never got its pull request goes, with its entry;
 * where the pull request was made, or the branch was moved since, only the entry goes. Nothing of
 * this may fail a run.
 */
export async function clearStale(
  github: GitHub,
  place: Place,
  { pending, now }: { readonly pending: readonly Pending[]; readonly now: number },
): Promise<void> {
  for (const entry of pending.slice(0, mostCleared)) {
    try {
      if (await isStale(github, place, { entry, now })) await clear(github, place, entry);
    } catch (error) {
      github.log(`GitHub: ${entry.name} could not be cleared: ${sayingOf(error)}`);
    }
  }
}

async function isStale(
  github: GitHub,
  { repository }: Place,
  { entry, now }: { readonly entry: Pending; readonly now: number },
): Promise<boolean> {
  const where = splitRepository(repository);
  const { data } = await github.rest.git.getCommit({ ...where, commit_sha: entry.sha });
  return Date.parse(data.committer.date) < now - staleMs;
}

async function clear(github: GitHub, place: Place, { name, sha }: Pending): Promise<Swapped> {
  const branch = name.slice(`refs/${folder}`.length);
  const where = splitRepository(place.repository);
  const head = `${where.owner}:${branch}`;
  const { data: pulls } = await github.rest.pulls.list({
    ...{ ...where, head, state: 'all' as const, per_page: 1 },
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
