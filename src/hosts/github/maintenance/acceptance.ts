/** Tries on a real repository what a run needs of GitHub, by the code that runs use, and takes all of it back. */
import { PhotonError } from '../../../base/codes.ts';
import { makeTree } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import { readRef, swapRefs } from '../api/refs.ts';
import { postComment } from '../conversation/comment.ts';
import { commentOnLines } from '../conversation/line-comments.ts';
import { fetchReviews, resolveThread } from '../conversation/review-threads.ts';
import { noExtras } from '../delivery/open-pull.ts';
import { type OwnPull, readPullFates } from '../delivery/own-pulls.ts';
import { type PublishResult, publishPatch } from '../delivery/publish.ts';
import { undoDelivery } from '../delivery/undo.ts';
import { examineRepository } from './onboarding.ts';

/** One thing that a run needs, and whether it was so. */
export interface AcceptanceCheck {
  readonly name: string;
  /** Undefined if it could not be tried, because an earlier one did not hold. */
  readonly holds: boolean | undefined;
  /** What was seen, or why it does not hold. */
  readonly detail: string;
}

interface AcceptanceOptions {
  /** Eight hexadecimal digits, which name the branch. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onCheck: (check: AcceptanceCheck) => void;
}

/** The file of the pull request. */
const path = 'photon-acceptance.md';
const prefix = 'photon/';

/** What the steps have made so far. */
interface TrialResources {
  baseRef: string;
  baseCommit: string;
  baseTree: string;
  nodeId: string;
  published: PublishResult | undefined;
  thread: string;
}

interface Trial extends AcceptanceOptions {
  readonly github: GitHub;
  readonly taskId: string;
  readonly branch: string;
  readonly made: TrialResources;
}

type TrialStep = readonly [name: string, work: (trial: Trial) => Promise<string>];

/** A promise that was not kept, in words. */
class AcceptanceError extends Error {}

/**
 * Makes a branch with one file, a draft pull request, comments on it, and removes them: the pull request stays
 * closed. A step that fails ends the trial, and what was made is taken back.
 * `onCheck` gets the checks in order. It never throws for what GitHub does.
 */
export async function acceptRepository(github: GitHub, options: AcceptanceOptions): Promise<void> {
  const taskId = `acceptance-${options.id}`;
  const made: TrialResources = {
    baseRef: '',
    baseCommit: '',
    baseTree: '',
    nodeId: '',
    published: undefined,
    thread: '',
  };
  const trial = { ...options, github, taskId, branch: `${prefix}${taskId}`, made };
  let failed = false;
  for (const [name, work] of steps) {
    const check: AcceptanceCheck =
      failed && name !== cleaning
        ? { name, holds: undefined, detail: '' }
        : await tryStep(trial, name, work);
    failed ||= check.holds === false;
    options.onCheck(check);
  }
}

async function tryStep(trial: Trial, name: string, work: TrialStep[1]): Promise<AcceptanceCheck> {
  try {
    return { name, holds: true, detail: await work(trial) };
  } catch (error) {
    if (trial.github.signal.aborted) throw error;
    const { code } = error as Partial<PhotonError>;
    const why = formatMessage(error);
    return { name, holds: false, detail: error instanceof PhotonError ? `${code}: ${why}` : why };
  }
}

const cleaning = 'takes everything back';

const steps: readonly TrialStep[] = [
  ['reads the repository', readRepository],
  ['lets Actions open pull requests', readSetting],
  ['publishes a commit as a pull request', t => publish(t, 'first')],
  ['updates the same pull request', publishAgain],
  ['refuses a branch that has moved', refuseMovedBranch],
  ['keeps one comment up to date', commentTwice],
  ['takes a comment on a line of the diff', commentOnLine],
  ['refuses a comment on another line', refuseOtherLine],
  ['resolves a review thread', resolve],
  ['tells what became of a pull request', tellFate],
  [cleaning, clean],
];

async function readRepository({ github, made }: Trial): Promise<string> {
  const where = github.where;
  const { data } = await github.rest.repos.get(where);
  const sha = await readRef(github, `refs/heads/${data.default_branch}`);
  if (sha === undefined) throw new AcceptanceError('The default branch has no commit.');
  const commit = await github.rest.git.getCommit({ ...where, commit_sha: sha });
  made.baseRef = data.default_branch;
  made.nodeId = data.node_id;
  made.baseCommit = sha;
  made.baseTree = commit.data.tree.sha;
  const self = await github.self();
  return `${data.default_branch} at ${sha.slice(0, 12)}, as ${self ?? 'a token without a user'}`;
}

async function readSetting({ github }: Trial): Promise<string> {
  const { mayOpenPulls, advice } = await examineRepository(github);
  if (mayOpenPulls === false) throw new AcceptanceError(advice.join(' '));
  return mayOpenPulls ? 'allowed' : 'this token cannot read the setting';
}

async function publish({ github, made, ...trial }: Trial, text: string): Promise<string> {
  const { branch, taskId } = trial;
  const content = `# Acceptance\n\nPhoton tries out this repository: ${text}.\n`;
  const entry = { path, mode: '100644', type: 'blob', content } as const;
  const { baseCommit, baseTree, baseRef } = made;
  const tree = await makeTree(github, { baseTree, entries: [entry] });
  made.published = await publishPatch(github, {
    branch,
    taskId,
    baseRef,
    baseCommit,
    baseTree,
    expectedTree: tree,
    changes: [{ path, before: undefined, after: { mode: '100644', bytes: Buffer.from(content) } }],
    commitMessage: `Try out this repository\n\nPhoton-Task: ${taskId}\n`,
    renderText: () => ({
      title: 'Photon tries out this repository',
      body: `This pull request is closed again in a moment.\n\n<!-- photon:task=${taskId} -->\n`,
    }),
    draft: true,
    extras: noExtras,
    dispatchWorkflow: '',
    now: trial.now(),
  });
  const { delivered, notes } = made.published;
  const signed = delivered.commitsVerified ? 'signed by GitHub' : 'not signed';
  return [`#${delivered.pullRequestNumber}, commit ${signed}`, ...notes].join('; ');
}

async function publishAgain(trial: Trial): Promise<string> {
  const first = getNumber(trial);
  await publish(trial, 'second');
  const { operation, pullRequestNumber } = trial.made.published?.delivered ?? {};
  if (pullRequestNumber !== first || operation !== 'updated')
    throw new AcceptanceError(
      `It ${operation} #${pullRequestNumber} instead of updating #${first}.`,
    );
  return `#${first}`;
}

function getNumber({ made }: Trial): number {
  const number = made.published?.delivered.pullRequestNumber;
  if (number === undefined) throw new AcceptanceError('There is no pull request.');
  return number;
}

async function refuseMovedBranch({ github, made, branch }: Trial): Promise<string> {
  const name = `refs/heads/${branch}`;
  const change = { name, before: made.baseCommit, after: made.baseCommit };
  const result = await swapRefs(github, { nodeId: made.nodeId }, [change]);
  if (result.ok) throw new AcceptanceError('A change on a wrong earlier commit was accepted.');
  return result.reason;
}

async function commentTwice(trial: Trial): Promise<string> {
  const { github, taskId } = trial;
  const conversation = { kind: 'pull-request', number: getNumber(trial) } as const;
  const marker = `<!-- photon:task=${taskId} -->`;
  const post = (body: string) => postComment(github, { conversation, body, marker });
  const first = await post('Photon tries out comments.');
  const second = await post('Photon updated its comment.');
  if (first.id !== second.id)
    throw new AcceptanceError('The second text became a comment of its own.');
  return `comment ${first.id}`;
}

async function commentOnLine(trial: Trial): Promise<string> {
  const { github, made, id } = trial;
  const number = getNumber(trial);
  const comment = {
    path,
    start: 3,
    end: 3,
    body: 'A comment on a line.',
    fingerprint: `${id}${id}`,
  };
  const { delivered } = made.published ?? { delivered: undefined };
  if (delivered === undefined) throw new AcceptanceError('There is no pull request.');
  const notes = await commentOnLines(github, {
    delivered,
    comments: [comment],
    max: 1,
  });
  if (notes.length > 0) throw new AcceptanceError(notes.join(' '));
  const { threads } = await fetchReviews(github, number);
  const thread = threads.find(t => t.path === path);
  if (thread === undefined) throw new AcceptanceError('GraphQL lists no thread for it.');
  made.thread = thread.id;
  return `thread on line ${thread.line}`;
}

async function refuseOtherLine(trial: Trial): Promise<string> {
  const { github, made } = trial;
  try {
    await github.rest.pulls.createReviewComment({
      ...github.where,
      pull_number: getNumber(trial),
      commit_id: made.published?.delivered.commit ?? '',
      path,
      line: 9_999,
      side: 'RIGHT',
      body: 'Nobody sees this.',
    });
  } catch (error) {
    if (getStatus(error) === 422) return 'HTTP 422';
    throw error;
  }
  throw new AcceptanceError('A comment on a line that does not exist was accepted.');
}

async function resolve(trial: Trial): Promise<string> {
  const { github, made } = trial;
  await resolveThread(github, made.thread);
  const { threads } = await fetchReviews(github, getNumber(trial));
  if (!threads.some(t => t.id === made.thread && t.isResolved))
    throw new AcceptanceError('The thread is still open.');
  return '';
}

async function tellFate(trial: Trial): Promise<string> {
  const since = new Date(trial.now() - 86_400_000).toISOString();
  const fates = await readPullFates(trial.github, {
    branchPrefix: prefix,
    since,
  });
  const fate = fates.get(getNumber(trial));
  if (fate !== 'open') throw new AcceptanceError(`It is ${fate ?? 'not listed'} instead of open.`);
  return 'open';
}

async function clean(trial: Trial): Promise<string> {
  const { github, branch, taskId, made } = trial;
  const { delivered } = made.published ?? {};
  if (delivered?.pullRequestNumber === undefined) return 'nothing was made';
  const pull: OwnPull = {
    number: delivered.pullRequestNumber,
    branch,
    sha: delivered.commit ?? '',
    taskId,
    base: made.baseRef,
    state: 'open',
    url: delivered.pullRequestUrl ?? '',
  };
  const undone = await undoDelivery(github, {
    pull,
    // the request is open, so nothing is reverted
    revert: {
      settings: { ...noExtras, branchPrefix: prefix, draft: true, dispatchWorkflow: '' },
      runId: taskId,
      coAuthor: '',
      now: trial.now(),
      mergeText: async () => undefined,
    },
  });
  if (!undone.ok) throw new AcceptanceError(undone.message);
  const left = await readRef(github, `refs/heads/${branch}`);
  if (left !== undefined) throw new AcceptanceError(`${branch} is still there.`);
  return undone.message;
}
