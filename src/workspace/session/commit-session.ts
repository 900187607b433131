/** A stored session committed to a branch of a repository: objects and ref in one step, no file touched. */
import { PhotonError } from '../../codes.ts';
import { hasRef } from '../git/branch-tree.ts';
import { type GitPlace, runGit } from '../git/git-process.ts';
import { importCommit } from '../git/import-commit.ts';
import type { StoredSession } from './session-store.ts';

export interface SessionCommit {
  /** Name of the branch, without `refs/heads/`; it must not be there yet. */
  readonly branch: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Makes one commit on top of the session's base, and the branch that names it. `git fast-import`
 * writes objects and the ref; it runs no hook and no filter, and leaves index and files alone.
 * @returns Id of the commit.
 * @throws PhotonError `SESSION_BASE_MISSING`, `BRANCH_TAKEN`, `SESSION_INVALID`, `GIT`.
 */
export async function commitSession(
  stored: StoredSession,
  place: GitPlace,
  { branch, now }: SessionCommit,
): Promise<string> {
  const { identity, changes } = stored;
  const ref = `refs/heads/${branch}`;
  await requirePlace(stored, place, { branch, ref });
  const message = `Session of run ${identity.run}\n\nPhoton-Run: ${identity.run}\n`;
  return importCommit(place, { ref, from: identity.commit, message, changes, now });
}

interface NamedBranch {
  readonly branch: string;
  readonly ref: string;
}

async function requirePlace(
  { identity, changes }: StoredSession,
  place: GitPlace,
  { branch, ref }: NamedBranch,
): Promise<void> {
  if (changes.length === 0)
    throw new PhotonError('SESSION_INVALID', 'The session changes nothing.', { hint: 'Nothing.' });
  const answers = async (args: readonly string[], accept: readonly number[]) =>
    (await runGit({ ...place, args, accept: [0, ...accept] })).exitCode === 0;
  if (!(await answers(['check-ref-format', '--branch', branch], [1, 128])))
    throw new PhotonError('USAGE', `${JSON.stringify(branch)} is no name for a branch.`);
  const base = ['cat-file', '-e', `${identity.commit || 'none'}^{commit}`];
  if (!(await answers(base, [1, 128])))
    throw new PhotonError(
      'SESSION_BASE_MISSING',
      `The repository does not hold ${identity.commit || 'the base, which the session does not name'}.`,
    );
  if (await hasRef(place, ref))
    throw new PhotonError('BRANCH_TAKEN', `${branch} is there already.`, {
      hint: 'Give another name with --branch.',
    });
}
