/** Reads what a checkout is, and says in one sentence why no command can work on a folder. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { findTop } from '../../process/programs.ts';
import { type GitContext, resolveCommit, runGit } from './git-process.ts';

const commitHint = 'Make a first commit: git add --all, then git commit.';

/**
 * What a folder lacks to be a checkout with a commit; undefined when it lacks nothing.
 * @returns an error with the code `CHECKOUT_MISSING`.
 */
async function findLack(place: GitContext): Promise<PhotonError | undefined> {
  const lacks = await findNoCheckout(place);
  if (lacks !== undefined || (await resolveCommit('HEAD', place)) !== undefined) return lacks;
  const message = `The repository in ${place.cwd} has no commit yet.`;
  return new PhotonError('CHECKOUT_MISSING', message, { hint: commitHint });
}

/** The same for a command that needs no commit. */
async function findNoCheckout(place: GitContext): Promise<PhotonError | undefined> {
  const args = ['rev-parse', '--is-inside-work-tree'];
  const { stdout } = await runGit({ ...place, args, accept: [128] });
  if (stdout.toString('utf8').trim() === 'true') return undefined;
  const message = `${place.cwd} is not in the work tree of a git repository that can be read.`;
  return new PhotonError('CHECKOUT_MISSING', message);
}

/** @throws PhotonError `CHECKOUT_MISSING` for a folder that is no checkout; it needs no commit. */
export async function requireCheckout(place: GitContext): Promise<void> {
  const lack = await findNoCheckout(place);
  if (lack !== undefined) throw lack;
}

/** Reads the checkout that contains the folder. @throws PhotonError `CHECKOUT_MISSING`, `GIT`. */
export async function readCheckout(place: GitContext) {
  const about = ['--show-toplevel', '--git-common-dir', '--show-object-format'];
  const ids = ['HEAD^{commit}', 'HEAD^{tree}', '--symbolic-full-name', 'HEAD'];
  const index = ['--git-path', 'index'];
  const args = ['rev-parse', '--path-format=absolute', ...index, ...about, ...ids];
  const { stdout } = await runGit({ ...place, args }).catch(async (error: unknown) => {
    throw (await findLack(place)) ?? error;
  });
  const [ownIndex, checkout, commonDir, format, commit, tree, head] = stdout
    .toString('utf8')
    .split('\n');
  if (!checkout || !commonDir || !commit || !tree) throw new PhotonError('CHECKOUT_MISSING');
  // core.worktree of an untrusted repository could name any folder of the machine
  const [named, opened] = [checkout, place.cwd].map(path => realpathSync.native(path));
  if (named !== findTop(opened ?? ''))
    throw new PhotonError(
      'GIT',
      `The git configuration of the repository sets core.worktree to ${checkout}.`,
      { hint: 'Remove core.worktree from its configuration.' },
    );
  const common = resolve(checkout, commonDir);
  return {
    checkout,
    checkoutIndex: ownIndex ?? '',
    commonDir: common,
    attributes: readAttributes(common),
    holdsCredential: findCredential(common),
    objectFormat: format === 'sha256' ? ('sha256' as const) : ('sha1' as const),
    branch: head?.startsWith('refs/heads/') ? head.slice('refs/heads/'.length) : '',
    commit,
    tree,
  };
}

/** `actions/checkout` writes an authorization header into the configuration, or includes a file that has it. */
function findCredential(commonDir: string): boolean {
  const path = join(commonDir, 'config');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return /extraheader|^[ \t]*\[include|^[ \t]*helper\s*=/im.test(text);
}

/** No person wrote a larger file. */
const maxAttributes = 1_000_000;

/** The attributes that only this clone has. */
function readAttributes(commonDir: string): string {
  const path = join(commonDir, 'info', 'attributes');
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= maxAttributes ? readFileSync(path, 'utf8') : '';
}
