/** The journal of publications, as refs: the next run finds here what a killed run left unfinished. */
import { readCommit } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';
import { listPulls } from '../api/pull-files.ts';
import {
  listRefs,
  type NamedRef,
  type RefRepository,
  type RefResult,
  readRef,
  swapRefs,
} from '../api/refs.ts';

/**
 * Where marks are: outside of the branches, or among them where GitHub refuses other refs. Branch
 * prefixes and task ids contain no dot, so the branch of a task never has the name of a mark, nor of a
 * folder of marks.
 */
const folders = ['refs/photon/pending/', 'refs/heads/photon/pending.mark/'] as const;

/** Names that the mark of a branch can have. It points at the commit that the branch was set to. */
export function listMarks(branch: string): readonly [hidden: string, asBranch: string] {
  return [`${folders[0]}${branch}`, `${folders[1]}${branch}`];
}

/** Branch that a ref marks; undefined for a ref that is no mark. */
export function branchOfMark(ref: string): string | undefined {
  const folder = folders.find(each => ref.startsWith(each));
  return folder === undefined ? undefined : ref.slice(folder.length);
}

/** True for a branch that is a mark and not the branch of a task. */
export function isMarkBranch(branch: string): boolean {
  return branchOfMark(`refs/heads/${branch}`) !== undefined;
}

/** A publication takes minutes at most, so the run of an older entry has ended. */
const staleMs = 30 * 60_000;

/** Maximum number of entries that one run clears; the next run clears the rest. */
const maxCleared = 5;

/** All marks of a repository. @throws PhotonError `GITHUB_*`. */
export async function listPending(github: GitHub): Promise<readonly NamedRef[]> {
  return listRefs(github, folders);
}

/**
 * Clears what other runs left behind. A branch that never got its pull request is removed with its
 * entry. If the pull request exists, or the branch has moved since, only the entry is removed. No
 * error here fails the run.
 */
export async function clearStale(
  github: GitHub,
  place: RefRepository,
  { pending, now }: { readonly pending: readonly NamedRef[]; readonly now: number },
): Promise<void> {
  for (const entry of pending.slice(0, maxCleared)) {
    try {
      if (await isStale(github, { entry, now })) await clear(github, place, entry);
    } catch (error) {
      github.log(`GitHub: Photon could not clear ${entry.name}: ${formatMessage(error)}`);
    }
  }
}

/** True for an old commit of a task. What a person pushed to a mark that is a branch stays. */
async function isStale(
  github: GitHub,
  { entry, now }: { readonly entry: NamedRef; readonly now: number },
): Promise<boolean> {
  const { message, date } = await readCommit(github, entry.sha);
  return /^Photon-Task: /m.test(message) && Date.parse(date) < now - staleMs;
}

async function clear(
  github: GitHub,
  place: RefRepository,
  { name, sha }: NamedRef,
): Promise<RefResult> {
  const branch = branchOfMark(name) ?? '';
  const pulls = await listPulls(github, branch, 'all');
  const entry = { name, before: sha, after: null };
  const orphan = pulls.length === 0 && (await readRef(github, `refs/heads/${branch}`)) === sha;
  const left = orphan ? [{ name: `refs/heads/${branch}`, before: sha, after: null }] : [];
  github.log(
    `GitHub: a run that was killed left ${branch} behind. Photon removes ${orphan ? 'the branch' : 'its mark'}.`,
  );
  return swapRefs(github, place, [...left, entry]);
}
