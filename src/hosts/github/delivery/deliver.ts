/** A patch or a report on its way to GitHub. */
import { PhotonError } from '../../../base/codes.ts';
import type { DeliveryKind } from '../../../base/delivery-settings.ts';
import {
  type Ending,
  type Outcome,
  patchMessage,
  provenAs,
  ranPlainly,
} from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import { joinChanges } from '../../../workspace/commits/reapply.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import { getPullLook, hasAdvisories, type RenderPullRequest } from '../../deliver-patch.ts';
import type { AttendedRun, Delivery, ProvenPatch, Reported, VerifiedPatch } from '../../host.ts';
import { makeBranchName } from '../../planned-task.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';
import { readPullRequest } from '../api/pull-files.ts';
import { isAncestor, isRefusal, readRef } from '../api/refs.ts';
import { fetchDrift, RemoteTrees } from '../api/remote-tree.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { keepComment, postComment, requestMark } from '../conversation/comment.ts';
import { settleThread } from '../conversation/review-threads.ts';
import { checkDelivery, checkPush, requireAnswer } from './branch.ts';
import { formatCoAuthor, type PublishResult, publishPatch, pushCommit } from './publish.ts';
import { type DiffRanges, postSuggestions, type ReviewText } from './suggest.ts';

/** Texts of a delivery, made when the outcome is known. */
export interface DeliveryText {
  readonly commitMessage: (outcome: Outcome, coAuthor: string) => string;
  readonly pullRequest: RenderPullRequest;
  readonly suggestions: (
    outcome: Outcome,
    lines: { readonly changes: readonly FileChange[]; readonly shown: DiffRanges },
  ) => ReviewText;
}

/** A patch, and how it is to reach people. */
interface PatchToDeliver {
  readonly patch: VerifiedPatch;
  readonly texts: DeliveryText;
  /** Head of the task's branch when the run began; undefined when it was not read. */
  readonly startedFrom: Promise<string | undefined>;
}

/** How often a patch follows a base that moves on; each time costs a run of the tests. */
const maxMoves = 3;

/**
 * Delivers the patch of a run: on the base as it is now, or not at all.
 * @throws PhotonError `GITHUB_*`, `BASE_MISSING`, `BASE_MOVED`, `BASE_CONFLICT`, `BRANCH_TAKEN`, `BRANCH_MOVED`,
 * `PUBLISH_MISMATCH`, `BUDGET_TIME`, `CANCELLED`, and those of `VerifiedPatch.prove`.
 */
export async function deliverOnGitHub(
  environment: GitHubEnvironment,
  request: PatchToDeliver,
): Promise<Delivery> {
  const { patch } = request;
  for (let moves = 0; ; moves++) {
    const head = await findBase(environment, patch.task);
    if (head === patch.git().commit) {
      const published = await publish(environment, request);
      if (published !== 'moved') {
        const { delivered } = published;
        const [status, code] =
          delivered.kind === 'suggestions'
            ? (['suggested', 'SUGGESTED'] as const)
            : (['committed', 'COMMITTED'] as const);
        const message = patchMessage(code, patch.verification());
        const delivery = patch.delivered({ ...patch.ending, status, code, message, delivered });
        for (const note of published.notes) patch.note(note);
        return delivery;
      }
    }
    const ended = await follow(environment, { patch, moves });
    if (ended !== undefined) return ended;
  }
}

/** How this task's patch reaches people: a fork is never written to, and only a pull request has a head. */
function chooseKind(
  { settings }: GitHubEnvironment,
  { headBranch, updates, keepsGreen }: Task,
): Exclude<DeliveryKind, 'patch'> {
  if (headBranch?.fork === true) return 'suggestions';
  const { delivery } = settings;
  if (delivery === 'branch') return delivery;
  if (keepsGreen === true) return 'commit';
  if (delivery === 'pull-request' && updates !== undefined) return 'commit';
  return headBranch === undefined || delivery === 'patch' ? 'pull-request' : delivery;
}

/**
 * Checks that GitHub would accept what this run is going to deliver; asks nothing when nothing is published.
 * @throws PhotonError of the final refusals in `branch.ts`.
 */
export async function checkBeforehand(
  environment: GitHubEnvironment,
  { task, mode, changes, note }: AttendedRun,
): Promise<void> {
  const { settings } = environment;
  if (mode.target !== 'publish' || !changes) return;
  const kind = chooseKind(environment, task);
  const opensPull = kind === 'pull-request';
  const { baseRef, id: taskId } = task;
  const { github } = environment;
  await requireAnswer(github, () => checkBase(environment, task));
  await checkDelivery(github, { baseRef, opensPull });
  if (kind === 'suggestions') return;
  const own = kind === 'commit' ? undefined : makeBranchName(task, settings);
  const push = {
    branch: own ?? baseRef,
    baseRef,
    taskId,
    isOwn: own !== undefined,
    givesWay: kind === 'commit' && settings.delivery === 'pull-request',
  };
  const notes = await requireAnswer(github, () => checkPush(github, push));
  for (const each of notes ?? []) note(each);
}

/** Refuses a base that is not there, or that has moved already where the settings do not let the patch follow it. */
async function checkBase(environment: GitHubEnvironment, task: Task): Promise<void> {
  const head = await findBase(environment, task);
  const checkedOut = task.baseRef === environment.baseRef ? environment.baseCommit : head;
  const begins = task.headBranch?.sha ?? checkedOut;
  if (environment.settings.baseMoved !== 'refuse' || head === begins) return;
  // a read that lags behind the push that started this run
  if (await isAncestor(environment.github, { ancestor: head, commit: begins })) return;
  throw new PhotonError(
    'BASE_MOVED',
    `${task.baseRef} moved from ${begins.slice(0, 12)} to ${head.slice(0, 12)} before the run began.`,
  );
}

/** Head of the task's branch as the run begins: a later commit of another run is not overwritten. Undefined when it is not there. */
export async function readBranchHead(
  { settings, github }: GitHubEnvironment,
  { task, mode, changes }: AttendedRun,
): Promise<string | undefined> {
  if (mode.target !== 'publish' || !changes) return undefined;
  const name = `refs/heads/${makeBranchName(task, settings)}`;
  return readRef(github, name).catch(() => undefined); // a failure counts as not read
}

/** Commit that the patch must lie on now. */
async function findBase(environment: GitHubEnvironment, task: Task): Promise<string> {
  const { github } = environment;
  if (chooseKind(environment, task) === 'suggestions') {
    return (await readPullRequest(github, task.headBranch?.number ?? 0)).head.sha;
  }
  // it can be a branch that was just made
  const found = await github.readWritten(() => readRef(github, `refs/heads/${task.baseRef}`));
  if (found === undefined)
    throw new PhotonError('BASE_MISSING', `${github.repository} has no branch ${task.baseRef}.`);
  return found;
}

/** Moves the patch onto the base as it is now, if the settings allow it. */
async function follow(
  environment: GitHubEnvironment,
  { patch, moves }: { readonly patch: VerifiedPatch; readonly moves: number },
): Promise<Ending | undefined> {
  const { github, settings } = environment;
  const { task } = patch;
  const git = patch.git();
  const again = patch.hasVerifier ? ' and verified again' : ', without a verification';
  const head = await findBase(environment, task);
  const was = `${task.baseRef} moved from ${git.commit.slice(0, 12)} to ${head.slice(0, 12)}`;
  if (settings.baseMoved === 'refuse' || head === git.commit || patch.merge !== undefined)
    throw new PhotonError('BASE_MOVED', `${was} while the run worked.`);
  if (moves >= maxMoves)
    throw new PhotonError('BASE_MOVED', `${was}; it moved ${moves} times while the run worked.`);
  environment.log(`Delivery: ${was}. The patch is applied there${again}.`);
  const trees = new RemoteTrees(github);
  const tree = await trees.readTree(head);
  const drift = await fetchDrift(trees, { from: git.fullTree, to: tree });
  if (drift === undefined)
    throw new PhotonError('BASE_MOVED', `${was}, by more than Photon can follow.`);
  const ended = await patch.moveTo({ commit: head, tree, drift });
  if (ended === undefined) patch.note(`${was}. The patch was applied there${again}.`);
  return ended;
}

/** Proves the patch as it stands and publishes it. */
async function publish(
  environment: GitHubEnvironment,
  { patch, texts, startedFrom }: PatchToDeliver,
): Promise<PublishResult | 'moved'> {
  const proven = await patch.prove();
  const { task } = patch;
  const { github } = environment;
  const { outcome, changes } = proven;
  const pull = await findPull(github, task);
  const kind = chooseKind(environment, task);
  const rescue = () => environment.reporter();
  environment.log(`Delivery: publishing the ${provenAs(outcome.verification)} (${kind}).`);
  if (kind === 'suggestions')
    return postSuggestions(github, {
      pull,
      head: patch.git().commit,
      render: shown => texts.suggestions(outcome, { changes, shown }),
    });
  const commit = buildCommit(environment, { patch, proven, texts });
  const { settings } = environment;
  const { flagged, labels, draft } = getPullLook(settings, task, outcome);
  // the default may give way to a pull request, because nobody chose a commit onto a bot's branch; a patch that was made
  // without a sandbox, that changes what tests expect, leaves tests red, or brings advisories, always does
  const { changedExpectations, sameFailures } = outcome.verification ?? {};
  const isUnlike = (changedExpectations ?? sameFailures) !== undefined;
  const mustOpen = ranPlainly(outcome) || isUnlike || hasAdvisories(outcome);
  const mayOpen = settings.delivery === 'pull-request';
  if (kind === 'commit' && !mustOpen && !(mayOpen && draft)) {
    const push = { ...commit, branch: task.baseRef, pull, rescue };
    try {
      const pushed = await pushCommit(github, push);
      if (pushed === 'moved') return pushed;
      const settled = await settleThread(github, { ...commit, task });
      return { ...pushed, notes: [...pushed.notes, ...settled] };
    } catch (error) {
      if (!mayOpen || !(error instanceof PhotonError) || !isRefusal(error.code)) throw error;
      patch.note(
        `GitHub refused a commit on ${task.baseRef}, so the patch is a pull request onto it: ${error.message}`,
      );
    }
  }
  const { dispatchWorkflow } = settings;
  return publishPatch(github, {
    ...commit,
    baseRef: task.baseRef,
    branch: makeBranchName(task, settings),
    dispatchWorkflow,
    renderText: (by, startsWorkflow) =>
      texts.pullRequest(outcome, {
        startsNoWorkflow: by === 'github-token',
        startedWorkflow: startsWorkflow ? dispatchWorkflow : '',
      }),
    opensPull: kind !== 'branch',
    startedFrom: (await startedFrom) ?? null,
    draft,
    extras: { ...settings, held: flagged, labels },
    rescue,
  });
}

/** The commit that a patch becomes. */
function buildCommit(
  { input }: GitHubEnvironment,
  {
    patch,
    proven: { changes, tree, outcome },
    texts,
  }: Pick<PatchToDeliver, 'patch' | 'texts'> & { readonly proven: ProvenPatch },
) {
  const { task, merge } = patch;
  const git = patch.git();
  return {
    changes: merge === undefined ? changes : joinChanges(merge.changes, changes),
    taskId: task.id,
    baseCommit: git.commit,
    baseTree: merge?.tree ?? git.fullTree,
    merged: merge?.commit,
    expectedTree: tree,
    commitMessage: texts.commitMessage(outcome, formatCoAuthor(task, input.event.payload)),
  };
}

async function findPull(github: GitHub, { headBranch }: Task) {
  if (headBranch === undefined) return { number: 0, url: '' };
  const { state, number, html_url: url } = await readPullRequest(github, headBranch.number);
  if (state !== 'open') throw new PhotonError('PULL_REQUEST_CLOSED');
  return { number, url };
}

/** Posts the comment where the task was asked; a failure is a note, since the outcome stands anyway. */
export async function reportOnGitHub(
  environment: GitHubEnvironment,
  run: { readonly id: string; readonly task: Task; readonly mayComeLate: boolean },
  render: () => string,
): Promise<Reported> {
  const { id, task, mayComeLate } = run;
  const { input } = environment;
  if (task.conversation === undefined) return {};
  const marker = requestMark(input, id);
  try {
    const body = render();
    const github = await environment.reporter();
    const { conversation } = task;
    const request = { conversation, body, marker };
    const { url } = await postComment(github, request);
    if (mayComeLate)
      await keepComment(github, request, input.mutationSpacingMs).catch((error: unknown) =>
        environment.log(`GitHub: the comment could not be read again: ${formatMessage(error)}`),
      );
    return { url };
  } catch (error) {
    return { note: `The comment could not be posted: ${formatMessage(error)}` };
  }
}
