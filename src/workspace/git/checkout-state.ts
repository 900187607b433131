/** Says in one sentence why a folder is no checkout that a command can work on. */
import { PhotonError } from '../../base/codes.ts';
import { type GitPlace, resolveCommit, runGit } from './git-process.ts';

const commitHint = 'Make a first commit: git add --all, then git commit.';

/**
 * What a folder lacks to be a checkout with a commit; null when it lacks nothing.
 * @returns an error with the code `CHECKOUT_MISSING`.
 */
export async function findLack(place: GitPlace): Promise<PhotonError | null> {
  const lacks = await findNoCheckout(place);
  if (lacks !== null || (await resolveCommit('HEAD', place)) !== null) return lacks;
  const message = `The repository in ${place.cwd} has no commit yet.`;
  return new PhotonError('CHECKOUT_MISSING', message, { hint: commitHint });
}

/** The same for a command that needs no commit. */
export async function findNoCheckout(place: GitPlace): Promise<PhotonError | null> {
  const { cwd } = place;
  const states = ['--is-inside-work-tree', '--is-bare-repository', '--is-inside-git-dir'];
  const args = ['rev-parse', ...states];
  const { exitCode, stdout } = await runGit({ ...place, args, accept: [128] });
  const missing = (message: string) => new PhotonError('CHECKOUT_MISSING', message);
  if (exitCode !== 0) return missing(`${cwd} is not in a git repository that can be read.`);
  const [isInside, isBare, isGitFolder] = stdout
    .toString('utf8')
    .split('\n')
    .map(line => line === 'true');
  if (isInside) return null;
  if (isBare) return missing(`${cwd} is a bare repository, which has no work tree.`);
  if (isGitFolder)
    return missing(`${cwd} is inside the .git folder of a repository, not in its work tree.`);
  const message = `${cwd} is outside the work tree that the configuration of its repository names.`;
  const hint = 'Remove core.worktree from its configuration.';
  return new PhotonError('CHECKOUT_MISSING', message, { hint });
}

/** @throws PhotonError `CHECKOUT_MISSING` for a folder that is no checkout; it needs no commit. */
export async function requireCheckout(place: GitPlace): Promise<void> {
  const lack = await findNoCheckout(place);
  if (lack !== null) throw lack;
}
