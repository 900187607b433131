/** Undoes a delivery: closes an open pull request and deletes its branch, or reverts a merged one. */
import type { Code } from '../../../base/codes.ts';
import type { DeliveryResult, LeftBehind } from '../../../base/outcome.ts';
import type { GitHub } from '../api/github.ts';
import { githubError } from '../api/github-errors.ts';
import { readRef } from '../api/refs.ts';
import { swapRefs } from '../api/swap-refs.ts';
import { isOwnHead } from './branch.ts';
import type { OwnPull } from './own-pulls.ts';
import { type RevertRequest, revertPullRequest } from './revert.ts';

interface UndoRequest {
  readonly pull: OwnPull;
  /** Parameters for reverting a merged pull request. */
  readonly revert: Omit<RevertRequest, 'pull'>;
}

export type UndoResult =
  | { readonly ok: true; readonly message: string; readonly delivered: DeliveryResult }
  | {
      readonly ok: false;
      readonly status: 'abstained' | 'failed';
      readonly code: Code;
      readonly message: string;
      readonly left: LeftBehind;
    };

/**
 * Undoes one of Photon's own pull requests. The branch is deleted only if its head is Photon's
 * unchanged commit. What other people pushed stays, and the reply says so. The next undo deletes a
 * branch that could not be deleted.
 * @throws PhotonError `GITHUB_*` before anything has changed.
 */
export async function undoDelivery(github: GitHub, request: UndoRequest): Promise<UndoResult> {
  if (request.pull.state === 'merged') return revertMerged(github, request);
  const { pull } = request;
  const where = github.where;
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
    const left = `Photon could not delete its branch ${pull.branch}: ${message}`;
    const pulls =
      now.state === 'open'
        ? [{ number: pull.number, change: 'closed' as const, state: 'closed' as const }]
        : [];
    const after = { branches: [], pulls, unread: [`the branch ${pull.branch}`] };
    return { ok: false, status: 'failed', code, message: `${closed} ${left}`, left: after };
  }
}

/** Deletes the branch if only Photon has committed to it. @returns a sentence about the result. */
async function removeBranch(
  github: GitHub,
  { pull: { branch, taskId } }: UndoRequest,
  nodeId: string,
): Promise<string> {
  const name = `refs/heads/${branch}`;
  const sha = await readRef(github, name);
  if (sha === undefined) return `Its branch ${branch} had already been deleted.`;
  if (!(await isOwnHead(github, { sha, taskId })))
    return `Its branch ${branch} was kept, because it holds a commit that is not Photon's.`;
  const change = { name, before: sha, after: null };
  const swapped = await swapRefs(github, { nodeId }, [change]);
  if (swapped.ok) return `Its branch ${branch} was deleted.`;
  return swapped.now.get(name) === undefined
    ? `Its branch ${branch} had already been deleted.`
    : `Its branch ${branch} was kept, because somebody pushed to it in the meantime.`;
}

async function revertMerged(github: GitHub, { pull, revert }: UndoRequest): Promise<UndoResult> {
  const { delivered } = await revertPullRequest(github, {
    ...revert,
    pull: pull.number,
  });
  const message = `Pull request #${delivered.pullRequestNumber} reverts #${pull.number}, which was merged. Merge it to undo the change.`;
  return { ok: true, message, delivered };
}
