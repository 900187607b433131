/** Takes a delivery back: an open pull request is closed and its branch deleted, a merged one reverted. */
import type { Code } from '../codes.ts';
import type { Delivered } from '../outcome.ts';
import { type GitHub, splitRepository, statusOf, withCodes } from './client.ts';
import type { OwnPull } from './commands/own-pulls.ts';
import { type RevertRequest, revertPullRequest } from './revert.ts';

export interface UndoRequest {
  readonly repository: string;
  readonly branchPrefix: string;
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
 * Undoes a pull request of Photon's own. A branch that holds a person's commit stays.
 * @throws PhotonError `GITHUB_*`.
 */
export async function undoDelivery(github: GitHub, request: UndoRequest): Promise<Undone> {
  if (request.pull.state === 'merged') return revertMerged(github, request);
  const { pull, repository } = request;
  const where = splitRepository(repository);
  return withCodes(github, async () => {
    const { data: now } = await github.rest.pulls.get({ ...where, pull_number: pull.number });
    if (now.merged) return revertMerged(github, request);
    if (now.state === 'open')
      await github.rest.pulls.update({ ...where, pull_number: pull.number, state: 'closed' });
    const { ref, sha } = now.head;
    const own = await isPhotonsCommit(github, repository, { sha, taskId: pull.taskId });
    const gone = own && (await deleteBranch(github, where, { branch: ref, sha }));
    const branch = gone
      ? `Its branch ${ref} was deleted.`
      : `Its branch ${ref} was kept: it holds a commit that is not Photon's.`;
    return {
      ok: true,
      message: `Pull request #${pull.number} was closed. ${branch}`,
      delivered: {
        ...{ kind: 'pull-request', operation: 'closed', branch: ref },
        ...{ pullRequestNumber: pull.number, pullRequestUrl: pull.url },
      },
    };
  });
}

async function revertMerged(
  github: GitHub,
  { repository, pull, revert }: UndoRequest,
): Promise<Undone> {
  const { delivered } = await revertPullRequest(github, {
    ...{ ...revert, repository },
    pull: pull.number,
  });
  const message = `Pull request #${delivered.pullRequestNumber} reverts #${pull.number}, which was merged; merge it to take the change back.`;
  return { ok: true, message, delivered };
}

/** The commit's own trailer names the task. */
async function isPhotonsCommit(
  github: GitHub,
  repository: string,
  { sha, taskId }: { sha: string; taskId: string },
): Promise<boolean> {
  try {
    const { data } = await github.rest.git.getCommit({
      ...splitRepository(repository),
      commit_sha: sha,
    });
    return data.message.split('\n').includes(`Photon-Task: ${taskId}`);
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

/** Deletes a branch that still is at the commit that was looked at; true when it is gone. */
async function deleteBranch(
  github: GitHub,
  where: ReturnType<typeof splitRepository>,
  { branch, sha }: { branch: string; sha: string },
): Promise<boolean> {
  try {
    const { data } = await github.rest.git.getRef({ ...where, ref: `heads/${branch}` });
    if (data.object.sha !== sha) return false;
    await github.rest.git.deleteRef({ ...where, ref: `heads/${branch}` });
    return true;
  } catch (error) {
    // gone already: by a person, or by the repository's own setting
    if (statusOf(error) === 404 || statusOf(error) === 422) return true;
    throw error;
  }
}
