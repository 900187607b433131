/** The branch of a task as it stands: what is on it, whose it is, what a publication may do with it. */
import { PhotonError } from '../../codes.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { branchOfMark, listPending } from '../api/journal.ts';
import { type NamedRef, readRef } from '../api/refs.ts';

export type PullSummary = Awaited<ReturnType<GitHub['rest']['pulls']['list']>>['data'][number];

/** Where a publication stands when it starts. */
export interface BranchState {
  /** Commit that the branch is at; null when it is not there. */
  readonly head: string | null;
  /** Its open pull request. */
  readonly pull: PullSummary | null;
  /** What the journal has for it: a publication that did not come to its end. */
  readonly pending: readonly NamedRef[];
  /** What other publications left in the journal. */
  readonly others: readonly NamedRef[];
}

export interface BranchOfTask {
  readonly repository: string;
  readonly branch: string;
  readonly taskId: string;
  /** Head that the run saw when it began; undefined when it did not look. */
  readonly startedFrom?: string | null | undefined;
}

/**
 * Looks at the branch of a task. Commits of somebody else are never overwritten; neither is what
 * another run of the task published since this one began.
 * @throws PhotonError `BRANCH_TAKEN`, `BRANCH_MOVED`, `GITHUB_*`.
 */
export async function lookAtBranch(github: GitHub, task: BranchOfTask): Promise<BranchState> {
  const { repository, branch } = task;
  const listed = await listPending(github, repository);
  const head = await readRef(github, repository, `refs/heads/${branch}`);
  await requireOwn(github, task, head);
  const own = (each: NamedRef) => branchOfMark(each.name) === branch;
  return {
    head,
    pull: head === null ? null : await findOpenPullRequest(github, repository, branch),
    pending: listed.filter(own),
    others: listed.filter(each => !own(each)),
  };
}

/**
 * Refuses a head that this run may not replace.
 * @throws PhotonError `BRANCH_TAKEN`, `BRANCH_MOVED`, `GITHUB_*`.
 */
export async function requireOwn(
  github: GitHub,
  { repository, branch, taskId, startedFrom }: BranchOfTask,
  head: string | null,
): Promise<void> {
  if (head !== null && !(await isOwnHead(github, repository, { sha: head, taskId })))
    throw new PhotonError('BRANCH_TAKEN', `${branch} holds commits that are not of this task.`);
  if (startedFrom === undefined || startedFrom === head) return;
  const what = head === null ? 'was deleted' : `is at ${head.slice(0, 12)} now`;
  throw new PhotonError('BRANCH_MOVED', `${branch} ${what}; this run did not make that.`);
}

/** The open pull request of a branch, or null. */
export async function findOpenPullRequest(
  github: GitHub,
  repository: string,
  branch: string,
): Promise<PullSummary | null> {
  const where = splitRepository(repository);
  const head = `${where.owner}:${branch}`;
  const { data } = await withCodes(github, () =>
    github.rest.pulls.list({ ...where, state: 'open', head, per_page: 5 }),
  );
  return data[0] ?? null;
}

/**
 * True when the head of a branch is a commit of Photon's for this task, as Photon made it: a commit
 * that somebody amended keeps the task's trailer, but not the tree that it names. One that could not
 * replace its predecessor lies on it and on the base.
 */
export async function isOwnHead(
  github: GitHub,
  repository: string,
  head: { sha: string; taskId: string },
): Promise<boolean> {
  const { data } = await withCodes(github, () =>
    github.rest.git.getCommit({ ...splitRepository(repository), commit_sha: head.sha }),
  );
  const lines = data.message.split('\n');
  const tree = lines.find(l => l.startsWith('Photon-Tree: '))?.slice('Photon-Tree: '.length);
  const { length: parents } = data.parents;
  const whole =
    tree === undefined ? parents === 1 : tree === data.tree.sha && [1, 2].includes(parents);
  return whole && lines.includes(`Photon-Task: ${head.taskId}`);
}
