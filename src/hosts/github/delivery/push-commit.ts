/** The verified patch ► one commit on top of a pull request's head branch, never by force. */
import type { Delivered } from '../../../base/outcome.ts';
import { createCommit, type TreeCommit } from '../api/commit-objects.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import type { Rescue } from '../api/request-limit.ts';
import { swapNotes, swapRefs } from '../api/swap-refs.ts';
import { isOwnHead } from './branch.ts';
import type { Published } from './publish.ts';
import { withLeft } from './read-left.ts';

export interface PushRequest extends TreeCommit {
  readonly repository: string;
  /** Short name of the head branch. Its head is `baseCommit` unless it moved. */
  readonly branch: string;
  readonly taskId: string;
  readonly pull: { readonly number: number; readonly url: string };
  readonly rescue?: Rescue;
}

/**
 * Pushes the commit. @returns `moved` when the branch is no longer where the patch was verified.
 * @throws PhotonError `PUBLISH_MISMATCH`, `GITHUB_*`.
 */
export async function pushCommit(
  github: GitHub,
  request: PushRequest,
): Promise<Published | 'moved'> {
  const where = splitRepository(request.repository);
  const name = `refs/heads/${request.branch}`;
  return withCodes(github, async () => {
    const { data } = await github.rest.repos.get(where);
    const { repository, rescue } = request;
    const place = { repository, nodeId: data.node_id, rescue };
    const commit = await createCommit(github, where, request);
    const change = { name, before: request.baseCommit, after: commit.sha, forward: true };
    const { branch, baseCommit: before } = request;
    const tried = { ...place, branch, before, commit: commit.sha, opensPull: false };
    const swapped = await swapRefs(github, place, [change]).catch(async (error: unknown) => {
      throw await withLeft(github, error, { ...tried, end: 'unknown' });
    });
    const notes = swapNotes(github);
    if (swapped.ok) return { ...published(request, { ...commit, operation: 'updated' }), notes };
    const head = swapped.now.get(name) ?? null;
    const own = head === null ? null : await findOwn(github, request, head);
    return own === null ? 'moved' : published(request, { ...own, operation: 'none' });
  });
}

/** The same patch, pushed by an earlier run of this task that was killed before it could report. */
async function findOwn(
  github: GitHub,
  { repository, taskId, baseCommit, expectedTree }: PushRequest,
  sha: string,
): Promise<{ sha: string; verified: boolean } | null> {
  if (!(await isOwnHead(github, repository, { sha, taskId }))) return null;
  const where = splitRepository(repository);
  const { data } = await github.rest.git.getCommit({ ...where, commit_sha: sha });
  const same = data.tree.sha === expectedTree && data.parents[0]?.sha === baseCommit;
  return same ? { sha, verified: data.verification.verified } : null;
}

function published(
  { branch, pull }: PushRequest,
  made: { sha: string; verified: boolean; operation: 'updated' | 'none' },
): Published {
  const delivered: Delivered = {
    kind: 'commit',
    branch,
    commit: made.sha,
    commitsVerified: made.verified,
    pullRequestNumber: pull.number,
    pullRequestUrl: pull.url,
    operation: made.operation,
  };
  return { delivered, notes: [] };
}
