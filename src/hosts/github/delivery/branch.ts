/** The branch of a task: its commits, their owner, and whether a publication is allowed to replace them. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Code, PhotonError } from '../../../base/codes.ts';
import { type RemoteCommit, readCommit } from '../api/commit-objects.ts';
import { type GitHub, noRetry } from '../api/github.ts';
import { findBrokenRules, getStatus, githubError } from '../api/github-errors.ts';
import { listPulls, type PullSummary } from '../api/pull-files.ts';
import { isAncestor, readRef } from '../api/refs.ts';
import { RemoteTrees } from '../api/remote-tree.ts';

/** The state of a branch when a publication starts. */
export interface BranchState {
  /** Commit of the branch; undefined when there is no branch. */
  readonly head: string | undefined;
  /** Its open pull request. */
  readonly pull: PullSummary | undefined;
}

export interface BranchOfTask {
  readonly branch: string;
  readonly taskId: string;
  /** Branch that the pull request goes to; undefined when the run did not look. */
  readonly baseRef?: string;
  /** Head of the branch at the start of the run; null without a branch, undefined when the run did not look. */
  readonly startedFrom?: string | null;
}

/**
 * Looks at the branch of a task. Photon never overwrites other people's commits, nor what another run
 * of the task has published since this run began.
 * @throws PhotonError `BRANCH_TAKEN`, `BRANCH_MOVED`, `GITHUB_*`.
 */
export async function lookAtBranch(github: GitHub, task: BranchOfTask): Promise<BranchState> {
  const { branch } = task;
  const head = await readRef(github, `refs/heads/${branch}`);
  await requireOwn(github, task, head);
  return {
    head,
    pull: head === undefined ? undefined : await findOpenPullRequest(github, branch),
  };
}

/**
 * Refuses a head that this run is not allowed to replace.
 * @throws PhotonError `BRANCH_TAKEN`, `BRANCH_MOVED`, `GITHUB_*`.
 */
export async function requireOwn(
  github: GitHub,
  task: BranchOfTask,
  head: string | undefined,
): Promise<void> {
  const { branch, taskId, startedFrom } = task;
  if (
    head !== undefined &&
    !(await isOwnHead(github, { sha: head, taskId })) &&
    !(await isOnlyUpdated(github, task, head))
  )
    throw new PhotonError(
      'BRANCH_TAKEN',
      `${branch} holds commits that do not belong to this task.`,
    );
  if (startedFrom === undefined || startedFrom === (head ?? null)) return;
  const what = head === undefined ? 'deleted' : `moved to ${head.slice(0, 12)}`;
  throw new PhotonError('BRANCH_MOVED', `${branch} was ${what}, but not by this run.`);
}

/** The open pull request of a branch, or undefined. */
export async function findOpenPullRequest(
  github: GitHub,
  branch: string,
): Promise<PullSummary | undefined> {
  return (await listPulls(github, branch, 'open'))[0];
}

/**
 * True when the head of a branch is Photon's unchanged commit for this task, or for any if none is named. A commit that somebody
 * amended keeps the trailer of the task, but no longer has the tree that its message names. A commit
 * that could not replace its predecessor has two parents: the predecessor and the base.
 */
export async function isOwnHead(
  github: GitHub,
  head: { sha: string; taskId?: string },
): Promise<boolean> {
  return isOwnCommit(await readCommit(github, head.sha), head.taskId);
}

/** The same of a commit that was read. */
export function isOwnCommit({ message, ...commit }: RemoteCommit, taskId?: string): boolean {
  const lines = message.split('\n');
  const tree = lines.find(l => l.startsWith('Photon-Tree: '))?.slice('Photon-Tree: '.length);
  const { length: parents } = commit.parents;
  const whole =
    tree === undefined ? parents === 1 : tree === commit.tree && [1, 2].includes(parents);
  const trailer = `Photon-Task: ${taskId ?? ''}`;
  return whole && lines.some(l => (taskId === undefined ? l.startsWith(trailer) : l === trailer));
}

/** True when the head merges the base into Photon's commit for this task, and changes nothing else. */
async function isOnlyUpdated(
  github: GitHub,
  { taskId, baseRef }: BranchOfTask,
  head: string,
): Promise<boolean> {
  const [first] = (await readCommit(github, head)).parents;
  if (baseRef === undefined || first === undefined) return false;
  const own = await readCommit(github, first);
  if (own.parents.length !== 1 || !isOwnCommit(own, taskId)) return false;
  return isPlainMerge(github, { head, base: baseRef });
}

/**
 * True when a commit merges the base into its first parent and changes nothing else: somebody pressed "Update branch".
 * Every file that the branch changed must be the same, with its mode. A file that both sides changed counts as a
 * person's work, because somebody may have resolved a conflict in it.
 */
export async function isPlainMerge(
  github: GitHub,
  { head, base }: { readonly head: string; readonly base: string },
): Promise<boolean> {
  const [own, merged, ...others] = (await readCommit(github, head)).parents;
  if (own === undefined || merged === undefined || others.length > 0) return false;
  if (!(await isAncestor(github, { ancestor: merged, commit: base }))) return false;
  const trees = new RemoteTrees(github);
  const before = await trees.mergeBase(merged, own);
  const changes = async (from: string, to: string) => {
    const found = await trees.differences(await trees.readTree(from), await trees.readTree(to));
    const listed = found?.map(({ path, after }) => [path, after?.mode, after?.sha].join('\0'));
    return listed?.sort();
  };
  const [made, kept] = [await changes(before, own), await changes(merged, head)];
  return made !== undefined && isDeepStrictEqual(made, kept);
}

/** What a run will deliver to GitHub. */
interface PlannedDelivery {
  readonly baseRef: string;
  /** True when it ends in a pull request. */
  readonly opensPull: boolean;
}

/** Errors that the delivery would meet again. */
const final: ReadonlySet<Code> = new Set([
  'GITHUB_AUTH',
  'GITHUB_PERMISSION',
  'PULL_REQUESTS_FORBIDDEN',
  'REPOSITORY_LOCKED',
  'BASE_MISSING',
  'BASE_MOVED',
  'BRANCH_TAKEN',
  'BRANCH_RULES',
]);

/**
 * Asks GitHub something beforehand. An answer that the delivery would not get again counts as none.
 * @throws PhotonError of the final codes.
 */
export async function requireAnswer<T>(
  github: GitHub,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    const known = githubError(error, github.signal);
    if (final.has(known.code)) throw known;
    return undefined;
  }
}

/** A push that a run is going to make. */
interface PlannedPush extends BranchOfTask {
  /** False for a commit onto a branch of somebody's. */
  readonly isOwn: boolean;
  /** True if the patch becomes a pull request where the push is refused. */
  readonly givesWay: boolean;
}

/**
 * Checks whether the token, the branch and its rules would take the push.
 * @returns notes about rules that the token may be able to bypass.
 * @throws PhotonError `GITHUB_*`, `BRANCH_TAKEN`, `BRANCH_RULES`, `REPOSITORY_LOCKED`.
 */
export async function checkPush(github: GitHub, push: PlannedPush): Promise<readonly string[]> {
  await requireWriteAccess(github);
  const head = await readRef(github, `refs/heads/${push.branch}`);
  if (push.isOwn) await requireOwn(github, push, head);
  return lookAtRules(github, { ...push, exists: head !== undefined });
}

/**
 * Requests an impossible branch, of a commit that does not exist. GitHub refuses it with 422 if the
 * token is allowed to write, and with 403 if not; a person's token gets 404.
 */
async function requireWriteAccess(github: GitHub): Promise<void> {
  const ref = `refs/heads/photon/permission-check-${randomUUID()}`;
  try {
    const sha = 'f'.repeat(40);
    await github.rest.git.createRef({ ...github.where, ref, sha, ...noRetry });
  } catch (error) {
    // a rule for new branches says nothing about the branch of the task, which may be there
    const isRule = githubError(error, github.signal).code === 'BRANCH_RULES';
    if (isRule || getStatus(error) === 422) return;
    if (getStatus(error) !== 404) throw error;
    throw new PhotonError(
      'GITHUB_PERMISSION',
      `The token can read ${github.repository}, but not write to it. The run needs contents: write.`,
      { cause: error },
    );
  }
}

/**
 * Reads the rules of the branch. GitHub lists them even to those who can bypass them, so a rule is an
 * error only where its ruleset says that the owner of the token cannot.
 * @throws PhotonError `BRANCH_RULES`.
 */
async function lookAtRules(
  github: GitHub,
  { branch, exists, givesWay }: PlannedPush & { readonly exists: boolean },
): Promise<readonly string[]> {
  const rules = await readRules(github, branch);
  // GitHub signs what a bot commits over its API, and nothing of a person's token
  const signs =
    rules.every(rule => rule.type !== 'required_signatures') || (await github.self()) === undefined;
  const broken = findBrokenRules(rules, { branch, exists, signs });
  const notes: string[] = [];
  for (const { why, ruleset } of broken) {
    if (!givesWay && !(await mayBypass(github, ruleset)))
      throw new PhotonError(
        'BRANCH_RULES',
        `The rules of ${github.repository} refuse ${branch}: ${why}.`,
      );
    notes.push(
      `The rules of this repository refuse ${branch} (${why}), unless the owner of the token can bypass them.${givesWay ? ' The patch is then a pull request.' : ''}`,
    );
  }
  return notes;
}

/** The rules of a branch; none where GitHub does not show them, as in a private repository of a free plan (403) or on an older server (404). */
export async function readRules({ rest, where }: GitHub, branch: string) {
  return rest.repos.getBranchRules({ ...where, branch }).then(
    reply => reply.data,
    () => [],
  );
}

/** False if the ruleset says that the owner of the token cannot bypass it; true if it does not say so. */
async function mayBypass(github: GitHub, ruleset_id: number | undefined): Promise<boolean> {
  if (ruleset_id === undefined) return true;
  const ruleset = github.rest.repos.getRepoRuleset({ ...github.where, ruleset_id });
  // the delivery will show what this does not
  const found = await ruleset.catch(() => undefined);
  return found?.data.current_user_can_bypass !== 'never';
}

/**
 * Requests an impossible pull request, whose head does not exist. GitHub refuses it with 422 if the
 * token is allowed to open pull requests, and with 401 or 403 if not. There is no other way to find
 * out: only the token of an administrator can read the setting for Actions.
 * @throws PhotonError `GITHUB_AUTH`, `GITHUB_PERMISSION`, `PULL_REQUESTS_FORBIDDEN`.
 */
export async function checkDelivery(github: GitHub, planned: PlannedDelivery): Promise<void> {
  const { where } = github;
  const head = `photon/permission-check-${randomUUID()}`;
  await requireAnswer(github, async () => {
    if (!planned.opensPull) return void (await github.rest.repos.get(where));
    const title = 'Photon checks whether it can open pull requests';
    await github.rest.pulls.create({ ...where, head, base: planned.baseRef, title, ...noRetry });
  });
}
