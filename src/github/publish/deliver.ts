/** A verified patch or a report on its way to GitHub. */

import { factsOf } from '../../agent/run/end-run.ts';
import { moveToBase } from '../../agent/run/move-to-base.ts';
import { outcomeOf } from '../../agent/run/outcome-of.ts';
import type { Delivery } from '../../agent/run/run.ts';
import type { Walk } from '../../agent/run/run-context.ts';
import { provePatch } from '../../audit/prove.ts';
import { codes, PhotonError } from '../../codes.ts';
import type { DeliveryKind } from '../../delivery-settings.ts';
import type { Ending, Outcome, Staged } from '../../outcome.ts';
import type { Task } from '../../task.ts';
import type { FileChange } from '../../workspace/change.ts';
import { postComment, requestMark } from '../api/comment.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { messageOf as sayingOf, withCodes } from '../api/github-errors.ts';
import { readRef } from '../api/refs.ts';
import { fetchDrift, RemoteTrees } from '../api/remote-tree.ts';
import type { Opened } from '../context/open-run.ts';
import { branchOf } from '../events/new-task.ts';
import { coAuthorOf } from './co-author.ts';
import { checkDelivery, lookAtRules } from './preflight.ts';
import { type Published, type PullRequestText, publishPatch } from './publish.ts';
import { pushCommit } from './push-commit.ts';
import { type DiffRanges, postSuggestions, type ReviewText } from './suggest.ts';

/** Words of a delivery, asked for when the outcome is known that they tell about. */
export interface DeliveryText {
  readonly commitMessage: (outcome: Outcome, coAuthor: string) => string;
  readonly pullRequest: (
    outcome: Outcome,
    about: { readonly startsNoWorkflow: boolean; readonly startedWorkflow: string },
  ) => PullRequestText;
  readonly suggestions: (
    outcome: Outcome,
    lines: { readonly changes: readonly FileChange[]; readonly shown: DiffRanges },
  ) => ReviewText;
}

/** A walk that ended with a patch, and how it is to reach people. */
export interface PatchToDeliver {
  readonly walk: Walk;
  readonly task: Task;
  readonly ending: Ending;
  readonly words: DeliveryText;
}

/** How often a patch follows a base that moves on; each time costs a run of the tests. */
const maxMoves = 3;

/**
 * Delivers the patch of a walk: on the base as it is now, or not at all.
 * @throws PhotonError `GITHUB_*`, `BASE_MOVED`, `BASE_CONFLICT`, `BRANCH_TAKEN`, `BRANCH_MOVED`,
 * `PUBLISH_MISMATCH`, and those of `provePatch`.
 */
export async function deliverOnGitHub(opened: Opened, patch: PatchToDeliver): Promise<Delivery> {
  const { walk, task, ending } = patch;
  const github = await opened.github();
  for (let moves = 0; ; moves++) {
    const head = await findBase(github, opened, task);
    const base = walk.services?.session.git.commit;
    if (head === base) {
      const published = await publish(github, opened, patch);
      if (published !== 'moved') {
        walk.notes = [...walk.notes, ...published.notes];
        const { code, message } = { code: 'COMMITTED' as const, message: codes.COMMITTED.meaning };
        return { ...ending, code, message, delivered: published.delivered };
      }
    }
    const ended = await follow(github, opened, { ...patch, moves });
    if (ended !== null) return ended;
  }
}

/** How this task's patch reaches people: a fork is never written to, and only a pull request has a head. */
function kindOf({ settings }: Opened, { headBranch }: Task): Exclude<DeliveryKind, 'patch'> {
  if (headBranch?.fork === true) return 'suggestions';
  const { delivery } = settings;
  if (delivery === 'branch') return delivery;
  return headBranch === undefined || delivery === 'patch' ? 'pull-request' : delivery;
}

/** Asks GitHub whether it would take what this run is going to deliver; nothing is asked where nothing leaves. */
export async function checkBeforehand(opened: Opened, walk: Walk): Promise<void> {
  const { task } = walk;
  const { settings, input, repository } = opened;
  const away = input.delivery === 'github' && settings.delivery !== 'patch';
  if (!away || settings.dryRun || settings.staged || repository === '') return;
  if (task === null || task.until !== undefined || input.replay !== undefined) return;
  const kind = kindOf(opened, task);
  const opensPull = kind === 'pull-request';
  const github = await opened.github();
  await checkDelivery(github, { repository, baseRef: task.baseRef, opensPull });
  if (!opensPull && kind !== 'branch') return;
  const notes = await lookAtRules(github, { repository, branch: branchOf(task, settings) });
  walk.notes = [...walk.notes, ...notes];
}

/** Commit that the patch must lie on now. */
async function findBase(github: GitHub, opened: Opened, task: Task): Promise<string> {
  const { repository } = opened;
  return withCodes(github, async () => {
    if (kindOf(opened, task) === 'suggestions') {
      const pull = { ...splitRepository(repository), pull_number: task.headBranch?.number ?? 0 };
      return (await github.rest.pulls.get(pull)).data.head.sha;
    }
    const found = await readRef(github, repository, `refs/heads/${task.baseRef}`);
    if (found === null) throw new PhotonError('BASE_MOVED', `${task.baseRef} is no longer there.`);
    return found;
  });
}

/** The patch moves on to the base as it is now, where the settings have it so. */
async function follow(
  github: GitHub,
  opened: Opened,
  { walk, task, moves }: PatchToDeliver & { readonly moves: number },
): Promise<Ending | null> {
  const { settings, repository } = opened;
  const git = walk.services?.session.git;
  if (git === undefined) throw new PhotonError('INTERNAL');
  const head = await findBase(github, opened, task);
  const was = `${task.baseRef} went on from ${git.commit.slice(0, 12)} to ${head.slice(0, 12)}`;
  if (settings.baseMoved === 'refuse' || head === git.commit)
    throw new PhotonError('BASE_MOVED', `${was} while the run worked.`);
  if (moves >= maxMoves)
    throw new PhotonError('BASE_MOVED', `${was}; it moved ${moves} times while the run worked.`);
  opened.log(`Delivery: ${was}; the patch is applied there and verified again.`);
  const trees = new RemoteTrees(github, repository);
  const found = await withCodes(github, async () => {
    const tree = await trees.treeOf(head);
    return { tree, drift: await fetchDrift(trees, { from: git.tree, to: tree }) };
  });
  if (found.drift === null)
    throw new PhotonError('BASE_MOVED', `${was}, by more than can be followed.`);
  const ended = await moveToBase(walk, { commit: head, tree: found.tree, drift: found.drift });
  if (ended === null) walk.notes = [...walk.notes, `${was}: applied there and verified again.`];
  return ended;
}

/** Proves the patch as it stands and publishes it. */
async function publish(
  github: GitHub,
  opened: Opened,
  patch: PatchToDeliver,
): Promise<Published | 'moved'> {
  const { walk, task, words } = patch;
  const { settings, repository, input } = opened;
  const changes = await provePatch(walk);
  const git = walk.services?.session.git;
  if (git === undefined) throw new PhotonError('INTERNAL');
  const outcome = outcomeOf(patch.ending, factsOf(walk));
  const pull = await pullOf(github, repository, task);
  const kind = kindOf(opened, task);
  const rescue = () => opened.reporter(reportMsOf(opened));
  opened.log(`Delivery: publishing the verified patch (${kind}).`);
  if (kind === 'suggestions')
    return postSuggestions(github, {
      ...{ repository, pull, head: git.commit, rescue },
      render: shown => words.suggestions(outcome, { changes, shown }),
    });
  const commit = {
    ...{ repository, changes, taskId: task.id },
    ...{ baseCommit: git.commit, baseTree: git.tree, expectedTree: walk.tree },
    commitMessage: words.commitMessage(outcome, coAuthorOf(task, input.event.payload)),
  };
  if (kind === 'commit')
    return pushCommit(github, { ...commit, branch: task.baseRef, pull, rescue });
  const { flagged, labels, draft } = lookOf(opened, task, outcome);
  const { dispatchWorkflow } = settings;
  return publishPatch(github, {
    ...{ ...commit, baseRef: task.baseRef, branch: branchOf(task, settings), dispatchWorkflow },
    words: (by, workflow) =>
      words.pullRequest(outcome, {
        startsNoWorkflow: by === 'github-token',
        startedWorkflow: workflow === 'to-start' ? dispatchWorkflow : '',
      }),
    opensPull: kind === 'pull-request',
    startedFrom: await walk.startedFrom,
    draft,
    extras: { ...settings, held: flagged, labels },
    now: input.now(),
    rescue,
  });
}

/** How a pull request presents itself. */
function lookOf({ settings }: Opened, task: Task, outcome: Outcome) {
  const flagged =
    outcome.patch.files.some(f => f.flag !== undefined) ||
    (outcome.verification?.warnings ?? []).length > 0;
  const labels = [...new Set([...settings.labels, ...(task.labels ?? [])])];
  return { flagged, labels, draft: settings.draft || flagged };
}

/** What a staged run holds back: the pull request as it would be opened. */
export function stageDelivery(
  opened: Opened,
  { walk, task, ending, words }: PatchToDeliver,
): Staged {
  const outcome = outcomeOf(ending, factsOf(walk));
  const { labels, draft } = lookOf(opened, task, outcome);
  const about = { startsNoWorkflow: false, startedWorkflow: '' };
  const { title, body } = words.pullRequest(outcome, about);
  const branch = branchOf(task, opened.settings);
  return { branch, base: task.baseRef, title, body, labels, draft };
}

async function pullOf(github: GitHub, repository: string, { headBranch }: Task) {
  if (headBranch === undefined) return { number: 0, url: '' };
  const { number } = headBranch;
  const where = { ...splitRepository(repository), pull_number: number };
  const { data } = await withCodes(github, () => github.rest.pulls.get(where));
  if (data.state !== 'open') throw new PhotonError('PULL_REQUEST_CLOSED');
  return { number, url: data.html_url };
}

/**
 * Looks at the head of a task's branch as the second round begins, in the background: the first
 * request to the model does not wait for it. What another run puts there later is not overwritten.
 */
export function watchBranch(opened: Opened, walk: Walk): void {
  const { task } = walk;
  const { input, settings, repository } = opened;
  const away = input.delivery === 'github' && settings.delivery !== 'patch' && !settings.dryRun;
  if (task === null || repository === '' || !away) return;
  walk.onRound = round => {
    if (round !== 2) return;
    const name = `refs/heads/${branchOf(task, settings)}`;
    walk.startedFrom = opened
      .github()
      .then(github => readRef(github, repository, name))
      .catch(() => undefined); // a look that fails is as if there had been none
  };
}

/** Longest that putting back or a report may take, in milliseconds: a cancelled job has seconds left. */
function reportMsOf({ input }: Opened): number {
  return input.signal.aborted ? 3_000 : 60_000;
}

/** Posts the comment where the task was asked; a failure is a note, since the outcome stands anyway. */
export async function reportOnGitHub(
  opened: Opened,
  { task, id: runId }: Pick<Walk, 'task' | 'id'>,
  body: string,
): Promise<string | null> {
  const { repository, input } = opened;
  if (task?.conversation === undefined) return null;
  const marker = requestMark(input, runId);
  try {
    const github = await opened.reporter(reportMsOf(opened));
    await postComment(github, { repository, conversation: task.conversation, body, marker });
    return null;
  } catch (error) {
    return `The comment could not be posted: ${sayingOf(error)}`;
  }
}
