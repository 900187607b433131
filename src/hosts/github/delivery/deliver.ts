/** A patch or a report on its way to GitHub. */
import { factsOf } from '../../../run/end-run.ts';
import { moveToBase, type MovedRun } from '../../../run/move-to-base.ts';
import { outcomeOf } from '../../../run/outcome-of.ts';
import { reach, type Delivery, type PreparedRun, type ProvenRun, type RunRequest, type RunTracker } from '../../../run/stages.ts';
import { provePatch } from '../../../run/prove.ts';
import { PhotonError, type Code } from '../../../base/codes.ts';
import type { DeliveryKind } from '../../../base/delivery-settings.ts';
import { patchMessage, provenAs, ranPlainly, type Delivered, type Ending, type Outcome } from '../../../base/outcome.ts';
import type { PatchProof } from '../../../base/patch-proof.ts';
import type { Task } from '../../../base/task.ts';
import type { TimeLimit } from '../../../process/time-limit.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import { postComment, requestMark } from '../conversation/comment.ts';
import { messageOf, withCodes } from '../api/github-errors.ts';
import { splitRepository, type GitHub } from '../api/github.ts';
import { readRef } from '../api/refs.ts';
import { RemoteTrees, fetchDrift } from '../api/remote-tree.ts';
import type { GitHubEnvironment } from '../context/open-environment.ts';
import { branchOf } from '../parse/new-task.ts';
import { coAuthorOf } from './co-author.ts';
import { commentOnLines, type NewLineComment } from '../conversation/line-comments.ts';
import { checkDelivery, lookAtRules } from './preflight.ts';
import { publishPatch, type Published, type PullRequestText } from './publish.ts';
import { pushCommit } from './push-commit.ts';
import { settleThread } from '../conversation/settle-thread.ts';
import { postSuggestions, type DiffRanges, type ReviewText } from './suggest.ts';

/** Texts of a delivery, made when the outcome is known. */
export interface DeliveryText {
  readonly commitMessage: (outcome: Outcome, coAuthor: string) => string;
  readonly pullRequest: (
    outcome: Outcome,
    about: { readonly startsNoWorkflow: boolean; readonly startedWorkflow: string },
  ) => PullRequestText;
  readonly weakSpots: (
    proof: PatchProof,
    changes: readonly FileChange[],
  ) => readonly NewLineComment[];
  readonly suggestions: (
    outcome: Outcome,
    lines: { readonly changes: readonly FileChange[]; readonly shown: DiffRanges },
  ) => ReviewText;
}

/** A run that ended with a patch, and how the patch is to reach people. */
export interface PatchToDeliver {
  readonly run: PreparedRun;
  readonly ending: Ending;
  readonly texts: DeliveryText;
  readonly tracker: RunTracker;
  /** The time of the run: nothing is published after it. */
  readonly limit: Pick<TimeLimit, 'check'>;
  /** Head of the task's branch when the run began; undefined when nobody looked. */
  readonly startedFrom: () => Promise<string | null | undefined> | undefined;
}

/** Codes of a push that the token or a rule of the branch does not allow. */
const refusals: ReadonlySet<Code> = new Set(['GITHUB_PERMISSION', 'GITHUB_AUTH', 'GITHUB_REQUEST']);

/** How often a patch follows a base that moves on; each time costs a run of the tests. */
const maxMoves = 3;

/**
 * Delivers the patch of a run: on the base as it is now, or not at all.
 * @throws PhotonError `GITHUB_*`, `BASE_MOVED`, `BASE_CONFLICT`, `BRANCH_TAKEN`, `BRANCH_MOVED`,
 * `PUBLISH_MISMATCH`, `BUDGET_TIME`, `CANCELLED`, and those of `provePatch`.
 */
export async function deliverOnGitHub(
  environment: GitHubEnvironment,
  patch: PatchToDeliver,
): Promise<Delivery> {
  const { ending, tracker } = patch;
  const github = await environment.github();
  let { run } = patch;
  for (let moves = 0; ; moves++) {
    const head = await findBase(github, environment, run.task);
    if (head === run.services.session.git.commit) {
      const published = await publish(github, environment, { ...patch, run });
      if (published !== 'moved') {
        const { delivered } = published;
        const [status, code] =
          delivered.kind === 'suggestions'
            ? (['suggested', 'SUGGESTED'] as const)
            : (['committed', 'COMMITTED'] as const);
        const message = patchMessage(code, run.state.verification);
        tracker.delivered = { ...ending, status, code, message, delivered };
        for (const note of published.notes) run.note(note);
        const about = { run, texts: patch.texts, delivered };
        for (const note of await commentOnWeakSpots(github, environment, about)) run.note(note);
        return tracker.delivered;
      }
    }
    const moved = await follow(github, environment, { run, moves });
    run = reach(tracker, moved.run);
    if (moved.ending !== null) return moved.ending;
  }
}

/** How this task's patch reaches people: a fork is never written to, and only a pull request has a head. */
function kindOf(
  { settings }: GitHubEnvironment,
  { headBranch, updates }: Task,
): Exclude<DeliveryKind, 'patch'> {
  if (headBranch?.fork === true) return 'suggestions';
  const { delivery } = settings;
  if (delivery === 'branch') return delivery;
  if (delivery === 'pull-request' && updates !== undefined) return 'commit';
  return headBranch === undefined || delivery === 'patch' ? 'pull-request' : delivery;
}

/** Checks that GitHub would accept what this run is going to deliver; asks nothing when nothing is published. */
export async function checkBeforehand(
  environment: GitHubEnvironment,
  { task, mode, input, note }: RunRequest,
): Promise<void> {
  const { settings, repository } = environment;
  if (mode.target !== 'publish' || repository === '') return;
  if (task.until !== undefined || input.replay !== undefined) return;
  const kind = kindOf(environment, task);
  const opensPull = kind === 'pull-request';
  const github = await environment.github();
  await checkDelivery(github, { repository, baseRef: task.baseRef, opensPull });
  if (!opensPull && kind !== 'branch') return;
  const notes = await lookAtRules(github, { repository, branch: branchOf(task, settings) });
  for (const each of notes) note(each);
}

/** Commit that the patch must lie on now. */
async function findBase(
  github: GitHub,
  environment: GitHubEnvironment,
  task: Task,
): Promise<string> {
  const { repository } = environment;
  return withCodes(github, async () => {
    if (kindOf(environment, task) === 'suggestions') {
      const pull = { ...splitRepository(repository), pull_number: task.headBranch?.number ?? 0 };
      return (await github.rest.pulls.get(pull)).data.head.sha;
    }
    const found = await readRef(github, repository, `refs/heads/${task.baseRef}`);
    if (found === null) throw new PhotonError('BASE_MOVED', `${task.baseRef} is no longer there.`);
    return found;
  });
}

/** Moves the patch onto the base as it is now, if the settings allow it. */
async function follow(
  github: GitHub,
  environment: GitHubEnvironment,
  { run, moves }: { readonly run: PreparedRun; readonly moves: number },
): Promise<MovedRun> {
  const { settings, repository } = environment;
  const { task, services } = run;
  const { git } = services.session;
  const again = services.verifier === null ? ', without a verification' : ' and verified again';
  const head = await findBase(github, environment, task);
  const was = `${task.baseRef} moved from ${git.commit.slice(0, 12)} to ${head.slice(0, 12)}`;
  if (settings.baseMoved === 'refuse' || head === git.commit)
    throw new PhotonError('BASE_MOVED', `${was} while the run worked.`);
  if (moves >= maxMoves)
    throw new PhotonError('BASE_MOVED', `${was}; it moved ${moves} times while the run worked.`);
  environment.log(`Delivery: ${was}. The patch is applied there${again}.`);
  const trees = new RemoteTrees(github, repository);
  const found = await withCodes(github, async () => {
    const tree = await trees.treeOf(head);
    return { tree, drift: await fetchDrift(trees, { from: git.fullTree, to: tree }) };
  });
  if (found.drift === null)
    throw new PhotonError('BASE_MOVED', `${was}, by more than Photon can follow.`);
  const moved = await moveToBase(run, { commit: head, tree: found.tree, drift: found.drift });
  if (moved.ending === null) run.note(`${was}. The patch was applied there${again}.`);
  return moved;
}

/** Proves the patch as it stands and publishes it. */
async function publish(
  github: GitHub,
  environment: GitHubEnvironment,
  patch: PatchToDeliver,
): Promise<Published | 'moved'> {
  const run = reach(patch.tracker, await provePatch(patch.run));
  const { task, services } = run;
  const { repository } = environment;
  const outcome = outcomeOf(patch.ending, factsOf(run));
  await patch.limit.check();
  const pull = await pullOf(github, repository, task);
  const kind = kindOf(environment, task);
  const rescue = () => environment.reporter(reportMsOf(environment));
  environment.log(`Delivery: publishing the ${provenAs(outcome.verification)} (${kind}).`);
  if (kind === 'suggestions')
    return postSuggestions(github, {
      repository,
      pull,
      head: services.session.git.commit,
      rescue,
      render: shown => patch.texts.suggestions(outcome, { changes: run.changes, shown }),
    });
  const commit = commitOf(environment, { run, outcome, texts: patch.texts });
  const { settings } = environment;
  const { flagged, labels, draft } = lookOf(environment, task, outcome);
  // the default may give way to a pull request, because nobody chose a commit onto a bot's branch; a patch that was made
  // without a sandbox always does
  const mayOpen = settings.delivery === 'pull-request';
  if (kind === 'commit' && !ranPlainly(outcome) && !(mayOpen && draft)) {
    const push = { ...commit, branch: task.baseRef, pull, rescue };
    try {
      const pushed = await pushCommit(github, push);
      if (pushed === 'moved') return pushed;
      const settled = await settleThread(github, { ...commit, task });
      return { ...pushed, notes: [...pushed.notes, ...settled] };
    } catch (error) {
      if (!mayOpen || !(error instanceof PhotonError) || !refusals.has(error.code)) throw error;
      run.note(
        `GitHub refused a commit on ${task.baseRef}, so the patch is a pull request onto it: ${error.message}`,
      );
    }
  }
  const { dispatchWorkflow } = settings;
  return publishPatch(github, {
    ...commit,
    baseRef: task.baseRef,
    branch: branchOf(task, settings),
    dispatchWorkflow,
    renderText: (by, workflow) =>
      patch.texts.pullRequest(outcome, {
        startsNoWorkflow: by === 'github-token',
        startedWorkflow: workflow === 'to-start' ? dispatchWorkflow : '',
      }),
    opensPull: kind !== 'branch',
    startedFrom: await patch.startedFrom(),
    draft,
    extras: { ...settings, held: flagged, labels },
    now: environment.input.now(),
    rescue,
  });
}

/** Comments on the lines that the tests show least of, if the settings ask for it. @returns notes. */
async function commentOnWeakSpots(
  github: GitHub,
  { settings, repository }: GitHubEnvironment,
  {
    run,
    texts,
    delivered,
  }: Pick<PatchToDeliver, 'run' | 'texts'> & { readonly delivered: Delivered },
): Promise<readonly string[]> {
  const proof = run.state.verification?.proof;
  const { weakComments: max } = settings;
  if (max === 0 || proof === undefined) return [];
  if (proof.earlierBase !== undefined)
    return ['There are no comments on lines, because the lines were measured on an earlier base.'];
  const comments = texts.weakSpots(proof, run.services.session.changes());
  return commentOnLines(github, { repository, delivered, comments, max });
}

/** The commit that a patch becomes. */
function commitOf(
  { repository, input }: GitHubEnvironment,
  {
    run,
    outcome,
    texts,
  }: { readonly run: ProvenRun; readonly outcome: Outcome; readonly texts: DeliveryText },
) {
  const { task, changes, tree, services } = run;
  const { git } = services.session;
  return {
    repository,
    changes,
    taskId: task.id,
    baseCommit: git.commit,
    baseTree: git.fullTree,
    expectedTree: tree,
    commitMessage: texts.commitMessage(outcome, coAuthorOf(task, input.event.payload)),
  };
}

/** How a pull request presents itself. */
export function lookOf({ settings }: GitHubEnvironment, task: Task, outcome: Outcome) {
  const flagged =
    ranPlainly(outcome) ||
    outcome.patch.files.some(f => f.flag !== undefined) ||
    (outcome.verification?.warnings ?? []).length > 0 ||
    (outcome.repair?.warnings ?? []).length > 0;
  const labels = [...new Set([...settings.labels, ...(task.labels ?? [])])];
  return { flagged, labels, draft: settings.draft || flagged };
}

async function pullOf(github: GitHub, repository: string, { headBranch }: Task) {
  if (headBranch === undefined) return { number: 0, url: '' };
  const { number } = headBranch;
  const where = { ...splitRepository(repository), pull_number: number };
  const { data } = await withCodes(github, () => github.rest.pulls.get(where));
  if (data.state !== 'open') throw new PhotonError('PULL_REQUEST_CLOSED');
  return { number, url: data.html_url };
}

/** Longest that putting back or a report may take, in milliseconds: a cancelled job has seconds left. */
function reportMsOf({ input }: GitHubEnvironment): number {
  return input.signal.aborted ? 3_000 : 60_000;
}

/** Posts the comment where the task was asked; a failure is a note, since the outcome stands anyway. */
export async function reportOnGitHub(
  environment: GitHubEnvironment,
  { task, runId }: { readonly task: Task | null; readonly runId: string },
  render: () => string,
): Promise<string | null> {
  const { repository, input } = environment;
  if (task?.conversation === undefined) return null;
  const marker = requestMark(input, runId);
  try {
    const body = render();
    const github = await environment.reporter(reportMsOf(environment));
    await postComment(github, { repository, conversation: task.conversation, body, marker });
    return null;
  } catch (error) {
    return `The comment could not be posted: ${messageOf(error)}`;
  }
}
