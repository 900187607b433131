/** Takes a delivery back: an open pull request is closed and its branch deleted, a merged one reverted. */
import type { Code } from '../../codes.ts';
import type { Delivered } from '../../outcome.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { githubError, withCodes } from '../api/github-errors.ts';
import { readRef } from '../api/refs.ts';
import { swapRefs } from '../api/swap-refs.ts';
import type { OwnPull } from '../events/own-pulls.ts';
import { isOwnHead } from './branch.ts';
import { type RevertRequest, revertPullRequest } from './revert.ts';

export interface UndoRequest {
  readonly repository: string;
  readonly pull: OwnPull;
  /** What the pull request that reverts a merged one is made with. */
  readonly revert: Omit<RevertRequest, 'repository' | 'pull'>;
}

export type Undone =
  | { readonly ok: true; readonly message: string; readonly delivered: Delivered }
  | {
      readonly ok: false;
      readonly status: 'abstained' | 'failed';
      readonly code: Code;
      readonly message: string;
    };

/**
 * Undoes a pull request of Photon's own. A branch goes only while its head is a commit as Photon made
 * it; what was pushed to it in the meantime stays, and the answer says so. A branch that could not be
 * deleted is deleted by the next undo.
 * @throws PhotonError `GITHUB_*` before anything was changed.
 */
export async function undoDelivery(github: GitHub, request: UndoRequest): Promise<Undone> {
  if (request.pull.state === 'merged') return revertMerged(github, request);
  const { pull, repository } = request;
  const where = splitRepository(repository);
  return withCodes(github, async () => {
    const { data: now } = await github.rest.pulls.get({ ...where, pull_number: pull.number });
    if (now.merged) return revertMerged(github, request);
    const { data: place } = await github.rest.repos.get(where);
    if (now.state === 'open')
      await github.rest.pulls.update({ ...where, pull_number: pull.number, state: 'closed' });
    const closed = `Pull request #${pull.number} ${now.state === 'open' ? 'was closed' : 'is closed'}.`;
    try {
      const branch = await removeBranch(github, request, place.node_id);
      return {
        ok: true,
        message: `${closed} ${branch}`,
        delivered: {
          kind: 'pull-request',
          operation: 'closed',
          branch: pull.branch,
          pullRequestNumber: pull.number,
          pullRequestUrl: pull.url,
        },
      };
    } catch (error) {
      const { code, message } = githubError(error, github.signal);
      const left = `Its branch ${pull.branch} could not be deleted and is still there: ${message}`;
      return { ok: false, status: 'failed', code, message: `${closed} ${left}` };
    }
  });
}

/** Deletes the branch while it is as Photon left it; what became of it. */
async function removeBranch(
  github: GitHub,
  { repository, pull: { branch, taskId } }: UndoRequest,
  nodeId: string,
): Promise<string> {
  const name = `refs/heads/${branch}`;
  const sha = await readRef(github, repository, name);
  if (sha === null) return `Its branch ${branch} was gone already.`;
  if (!(await isOwnHead(github, repository, { sha, taskId })))
    return `Its branch ${branch} was kept: it holds a commit that is not Photon's.`;
  const change = { name, before: sha, after: null };
  const swapped = await swapRefs(github, { repository, nodeId }, [change]);
  if (swapped.ok) return `Its branch ${branch} was deleted.`;
  return (swapped.now.get(name) ?? null) === null
    ? `Its branch ${branch} was gone already.`
    : `Its branch ${branch} was kept: somebody pushed to it in the meantime.`;
}

async function revertMerged(
  github: GitHub,
  { repository, pull, revert }: UndoRequest,
): Promise<Undone> {
  const { delivered } = await revertPullRequest(github, {
    ...revert,
    repository,
    pull: pull.number,
  });
  const message = `Pull request #${delivered.pullRequestNumber} reverts #${pull.number}, which was merged; merge it to take the change back.`;
  return { ok: true, message, delivered };
}
