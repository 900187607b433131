/** Commits a stored session to a new branch of a repository, without touching files. */
import { PhotonError } from '../../base/codes.ts';
import { hasRef, importCommit } from '../commits/branch-tree.ts';
import { type GitContext, runGit } from '../git/git-process.ts';
import type { StoredSession } from './session-store.ts';

interface SessionCommit {
  /** Name of the branch, without `refs/heads/`; it must not exist yet. */
  readonly branch: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Creates one commit on the base of the session, and a branch that points to it. Runs no hook and no
 * filter, and does not change the index or any file.
 * @returns the id of the commit.
 * @throws PhotonError `SESSION_BASE_MISSING`, `BRANCH_TAKEN`, `SESSION_INVALID`, `GIT`.
 */
export async function commitSession(
  stored: StoredSession,
  place: GitContext,
  { branch, now }: SessionCommit,
): Promise<string> {
  const { identity, changes } = stored;
  const ref = `refs/heads/${branch}`;
  await requireTarget(stored, place, { branch, ref });
  const message = `Session of run ${identity.run}\n\nPhoton-Run: ${identity.run}\n`;
  return importCommit(place, { ref, from: identity.commit, message, changes, now });
}

interface NamedBranch {
  readonly branch: string;
  readonly ref: string;
}

async function requireTarget(
  { identity, changes }: StoredSession,
  place: GitContext,
  { branch, ref }: NamedBranch,
): Promise<void> {
  if (changes.length === 0)
    throw new PhotonError('SESSION_INVALID', 'The session contains no changes.', {
      hint: 'There is nothing to commit.',
    });
  const succeeds = async (args: readonly string[], accept: readonly number[]) =>
    (await runGit({ ...place, args, accept: [0, ...accept] })).exitCode === 0;
  if (!(await succeeds(['check-ref-format', '--branch', branch], [1, 128])))
    throw new PhotonError('USAGE', `${JSON.stringify(branch)} is not a valid branch name.`);
  const base = ['cat-file', '-e', `${identity.commit || 'none'}^{commit}`];
  if (!(await succeeds(base, [1, 128])))
    throw new PhotonError(
      'SESSION_BASE_MISSING',
      identity.commit === ''
        ? 'The session does not name its base commit.'
        : `The repository does not contain the base commit ${identity.commit}.`,
    );
  if (await hasRef(place, ref))
    throw new PhotonError('BRANCH_TAKEN', `The branch ${branch} already exists.`, {
      hint: 'Choose another name with --branch.',
    });
}
