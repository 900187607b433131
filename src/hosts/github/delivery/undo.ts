/** `/photon undo`: closes an open pull request and deletes its branch, or reverts a merged one with a pull request that restores its files. */
import { type Code, PhotonError } from '../../../base/codes.ts';
import type { DeliveryResult, LeftBehind } from '../../../base/outcome.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { PullRequestText } from '../../deliver-patch.ts';
import type { TaskRefusal } from '../../host.ts';
import { refused } from '../../planned-task.ts';
import {
  type Actor,
  commitTree,
  makeTree,
  type RemoteCommit,
  readCommit,
} from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { githubError } from '../api/github-errors.ts';
import { type PullRequest, readPullRequest } from '../api/pull-files.ts';
import { readRef, swapRefs } from '../api/refs.ts';
import { type RemoteFile, RemoteTrees, type TreeDifference } from '../api/remote-tree.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import type { CommentCommand } from '../parse/event.ts';
import { isOwnHead } from './branch.ts';
import type { Extras } from './open-pull.ts';
import { listOwnPulls, type OwnPull } from './own-pulls.ts';
import { formatCoAuthor, type Publication, type PublishResult, publishCommit } from './publish.ts';

interface UndoRequest {
  readonly pull: OwnPull;
  /** Parameters for reverting a merged pull request. */
  readonly revert: Omit<RevertRequest, 'pull'>;
}

type UndoResult =
  | { readonly ok: true; readonly message: string; readonly delivered: DeliveryResult }
  | {
      readonly ok: false;
      readonly status: 'failed';
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
  const now = await readPullRequest(github, pull.number);
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

interface RevertRequest {
  /** Number of the merged pull request. */
  readonly pull: number;
  readonly settings: Extras & Pick<Settings, 'branchPrefix' | 'draft' | 'dispatchWorkflow'>;
  readonly runId: string;
  /** Commit trailer for the person who asked (`formatCoAuthor`); empty for nobody. */
  readonly coAuthor: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly mergeText: Git['mergeText'];
}

/**
 * Opens the reverting pull request, or updates the open one. The changes are reverted file by file on
 * the base as it is now, and files that changed since are merged. Nothing is verified here: the pull
 * request says so, and the project's own checks run on it.
 * @throws PhotonError `REVERT_UNFIT`, `REVERT_CONFLICT`, and those of `publishPatch`.
 */
export async function revertPullRequest(
  github: GitHub,
  request: RevertRequest,
): Promise<PublishResult> {
  const { pull: number, settings, now } = request;
  const pull = await readPullRequest(github, number);
  if (!pull.merged || pull.merge_commit_sha === null)
    throw new PhotonError('REVERT_UNFIT', `#${number} was not merged.`);
  const title = formatTitle(pull);
  const baseRef = pull.base.ref;
  const base = await readRef(github, `refs/heads/${baseRef}`);
  if (base === undefined)
    throw new PhotonError('REVERT_UNFIT', `${baseRef} does not exist any more.`);
  const trees = new RemoteTrees(github);
  const baseTree = await trees.readTree(base);
  const { sha: head } = pull.head;
  // the pull request started from the merge base of its head and the base before the merge
  const [before = pull.merge_commit_sha] = (await readCommit(github, pull.merge_commit_sha))
    .parents;
  const from = await trees.mergeBase(before, head);
  const entries = await listEntries(trees, request, { from, head, baseTree });
  const { branchPrefix, draft, dispatchWorkflow } = settings;
  const publication: Publication = {
    baseRef,
    draft,
    dispatchWorkflow,
    extras: settings,
    now,
    branch: `${branchPrefix}revert-${number}`,
    taskId: `revert-${number}`,
    renderText: by => renderText(request, by, title),
  };
  return publishCommit(github, publication, () =>
    makeCommit(github, request, { base, baseTree, entries, title }),
  );
}

type Entry = Parameters<typeof makeTree>[1]['entries'][number];

/** The changes to the base's tree. The kind of merge does not matter. */
async function listEntries(
  trees: RemoteTrees,
  { mergeText, pull: number }: RevertRequest,
  {
    from,
    head,
    baseTree,
  }: { readonly from: string; readonly head: string; readonly baseTree: string },
): Promise<readonly Entry[]> {
  const changed = await trees.differences(await trees.readTree(from), await trees.readTree(head));
  if (changed === undefined)
    throw new PhotonError('REVERT_CONFLICT', `#${number} changes too many files.`);
  const entries: Entry[] = [];
  const conflicts: string[] = [];
  for (const change of changed) {
    const now = await trees.find(baseTree, change.path);
    const entry = await revertFile(trees, mergeText, { change, now });
    if (entry === 'conflict') conflicts.push(change.path);
    else if (entry !== undefined) entries.push(entry);
  }
  if (conflicts.length > 0) {
    const named = conflicts.slice(0, 5).join(', ');
    throw new PhotonError('REVERT_CONFLICT', `Changed again since #${number}: ${named}.`);
  }
  if (entries.length === 0)
    throw new PhotonError(
      'REVERT_UNFIT',
      `The base holds none of the changes of #${number} any more.`,
    );
  return entries;
}

interface FileToRevert {
  readonly change: TreeDifference;
  readonly now: RemoteFile | undefined;
}

async function revertFile(
  trees: RemoteTrees,
  mergeText: Git['mergeText'],
  { change: { path, before, after }, now }: FileToRevert,
): Promise<Entry | undefined | 'conflict'> {
  if (same(now, before)) return undefined;
  if (same(now, after)) {
    const mode = (before ?? now)?.mode ?? '100644';
    return { path, mode, type: 'blob', sha: before?.sha ?? null };
  }
  if (before === undefined || after === undefined || now === undefined) return 'conflict';
  if (![before, after, now].every(f => f.mode.startsWith('100'))) return 'conflict';
  const [base, ours, theirs] = [
    await trees.read(after.sha),
    await trees.read(now.sha),
    await trees.read(before.sha),
  ];
  if (base === undefined || ours === undefined || theirs === undefined) return 'conflict';
  const merged = await mergeText({ base, ours, theirs });
  if (merged === undefined) return 'conflict';
  const mode = now.mode === after.mode ? before.mode : now.mode;
  return { path, mode, type: 'blob', content: Buffer.from(merged).toString('utf8') };
}

function same(a: RemoteFile | undefined, b: RemoteFile | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.sha === b.sha && a.mode === b.mode;
}

interface CommitParts {
  readonly base: string;
  readonly baseTree: string;
  readonly entries: readonly Entry[];
  readonly title: string;
}

async function makeCommit(
  github: GitHub,
  { pull, runId, coAuthor }: RevertRequest,
  { base, baseTree, entries, title }: CommitParts,
): Promise<RemoteCommit> {
  const tree = await makeTree(github, { baseTree, entries });
  const trailers = [
    `Photon-Task: revert-${pull}`,
    `Photon-Run: ${runId}`,
    `Photon-Tree: ${tree}`,
    coAuthor === '' ? undefined : coAuthor,
  ].filter(item => item !== undefined);
  const message = [title, '', 'Not verified.', '', ...trailers, ''].join('\n');
  return commitTree(github, { tree, parents: [base], message });
}

const maxTitle = 60;

/** The title, in the form of git's own reverts. */
function formatTitle({ number, title }: Pick<PullRequest, 'number' | 'title'>): string {
  const line = [...title.replace(/\s+/g, ' ').trim()];
  const shown = line.length > maxTitle ? `${line.slice(0, maxTitle - 1).join('')}…` : line.join('');
  return `Revert "${shown}" (pull request ${number})`;
}

function renderText(
  { pull, runId, settings }: RevertRequest,
  by: Actor,
  title: string,
): PullRequestText {
  const startsNothing =
    by === 'github-token' && settings.dispatchWorkflow === ''
      ? 'Photon made it with `GITHUB_TOKEN`, so GitHub starts no workflows. To start them, close the pull request and open it again.'
      : '';
  const parts = [
    `Reverts #${pull}.`,
    '**Nothing was verified.** This pull request restores only what that one changed and keeps all later changes. Wait for the checks of this repository before you merge it.',
    startsNothing,
    `Photon run ${runId}.`,
    `<!-- photon:task=revert-${pull} -->`,
  ];
  return {
    title,
    body: parts.filter(p => p !== '').join('\n\n'),
  };
}

/**
 * Undoes the pull request that the command names, or else the newest one that can be undone.
 * @throws PhotonError `GITHUB_*`.
 */
export async function undoCommand(
  context: RepositoryContext,
  command: CommentCommand,
): Promise<TaskRefusal> {
  const { settings } = context;
  const pulls = await listOwnPulls(context, command.conversation.number);
  const pull = await choosePull(context, command, pulls);
  if (pull === undefined) return refused('abstained', 'UNDO_NOTHING');
  const undone = await undoDelivery(context.github, {
    pull,
    revert: {
      settings: { ...settings, held: false },
      mergeText: context.git.mergeText,
      now: context.now(),
      // the comment identifies the run, so the same command makes the same revert when it is served again
      runId: `undo-${command.conversation.commentId ?? pull.number}`,
      coAuthor: formatCoAuthor({ askedBy: command.author.login }, context.input.event.payload),
    },
  });
  if (!undone.ok) {
    const { status, code, message, left } = undone;
    return { ...refused(status, code, message), left };
  }
  return { ...refused('undone', 'UNDONE', undone.message), delivered: undone.delivered };
}

/** Maximum number of closed pull requests whose branches are looked up. */
const maxLookedFor = 5;

/**
 * `#12` names a pull request. Without a name it is the newest open one, else the newest one that was
 * merged, or that was closed and still has its branch.
 */
async function choosePull(
  { github }: RepositoryContext,
  command: CommentCommand,
  pulls: readonly OwnPull[],
): Promise<OwnPull | undefined> {
  const named = /^#?(\d{1,9})\b/.exec(command.text.trim())?.[1];
  if (named !== undefined) return pulls.find(p => p.number === Number(named));
  const open = pulls.find(p => p.state === 'open');
  if (open !== undefined) return open;
  for (const pull of pulls.slice(0, maxLookedFor)) {
    if (pull.state === 'merged') return pull;
    const head = await readRef(github, `refs/heads/${pull.branch}`);
    if (head !== undefined) return pull;
  }
  return pulls.find(p => p.state === 'merged');
}
