/** A merged pull request taken back: a pull request that puts its files to what they were before it. */
import { PhotonError } from '../../codes.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Actor, commitTree, type MadeCommit, makeTree } from '../api/commit-objects.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';
import { readRef } from '../api/refs.ts';
import { type RemoteFile, RemoteTrees, type TreeDifference } from '../api/remote-tree.ts';
import type { Extras } from './extras.ts';
import {
  type Publication,
  type Published,
  type PullRequestText,
  publishCommit,
} from './publish.ts';

/** Merges three texts; null where both sides changed the same lines (`Git.mergeText`). */
type MergeText = (texts: {
  readonly base: Uint8Array;
  readonly ours: Uint8Array;
  readonly theirs: Uint8Array;
}) => Promise<Uint8Array | null>;

export interface RevertRequest {
  readonly repository: string;
  /** Number of the merged pull request. */
  readonly pull: number;
  /** Branch to take it back on; the one that it was merged into when not given. */
  readonly baseRef?: string;
  readonly settings: Extras & Pick<Settings, 'branchPrefix' | 'draft' | 'dispatchWorkflow'>;
  readonly runId: string;
  /** Trailer of who asked (`coAuthorOf`); empty for nobody. */
  readonly coAuthor: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly mergeText: MergeText;
  /** A client for tidying up when the run itself was cancelled. */
  readonly rescue?: () => Promise<GitHub>;
}

/**
 * Opens the reverting pull request, or updates the one that is open. What the pull request changed
 * is taken back file by file on the base as it is now; files that went on since are merged. Nothing
 * is verified here: the pull request says so, and the project's own checks run on it.
 * @throws PhotonError `REVERT_UNFIT`, `REVERT_CONFLICT`, and those of `publishPatch`.
 */
export async function revertPullRequest(
  github: GitHub,
  request: RevertRequest,
): Promise<Published> {
  const { repository, pull: number, settings, now, rescue } = request;
  const where = splitRepository(repository);
  return withCodes(github, async () => {
    const { data: pull } = await github.rest.pulls.get({ ...where, pull_number: number });
    if (!pull.merged || pull.merge_commit_sha === null)
      throw new PhotonError('REVERT_UNFIT', `#${number} was not merged.`);
    const title = titleOf(pull);
    const baseRef = request.baseRef ?? pull.base.ref;
    const base = await readRef(github, repository, `refs/heads/${baseRef}`);
    if (base === null) throw new PhotonError('REVERT_UNFIT', `${baseRef} is no longer there.`);
    const trees = new RemoteTrees(github, repository);
    const baseTree = await trees.treeOf(base);
    const entries = await entriesOf(trees, request, { pull, baseTree });
    const { branchPrefix, draft, dispatchWorkflow } = settings;
    const publication: Publication = {
      repository,
      baseRef,
      draft,
      dispatchWorkflow,
      extras: settings,
      now,
      branch: `${branchPrefix}revert-${number}`,
      taskId: `revert-${number}`,
      words: by => words(request, by, title),
      ...(rescue === undefined ? {} : { rescue }),
    };
    return publishCommit(github, publication, () =>
      makeCommit(github, request, { base, baseTree, entries, title }),
    );
  });
}

type Pull = Awaited<ReturnType<GitHub['rest']['pulls']['get']>>['data'];
type Entry =
  | { path: string; mode: RemoteFile['mode']; type: 'blob'; sha: string | null }
  | {
      path: string;
      mode: RemoteFile['mode'];
      type: 'blob';
      content: string;
    };

/** What is to be set on the base's tree. It does not matter how the pull request was merged. */
async function entriesOf(
  trees: RemoteTrees,
  { mergeText, pull: number }: RevertRequest,
  { pull, baseTree }: { pull: Pull; baseTree: string },
): Promise<readonly Entry[]> {
  const [from, to] = [await startOf(trees, pull), await trees.treeOf(pull.head.sha)];
  const changed = await trees.differences(from, to);
  if (changed === null) throw new PhotonError('REVERT_CONFLICT', `#${number} changes too much.`);
  const entries: Entry[] = [];
  const conflicts: string[] = [];
  for (const change of changed) {
    const now = await trees.find(baseTree, change.path);
    const entry = await takeBack(trees, mergeText, { change, now });
    if (entry === 'conflict') conflicts.push(change.path);
    else if (entry !== null) entries.push(entry);
  }
  if (conflicts.length > 0) {
    const named = conflicts.slice(0, 5).join(', ');
    throw new PhotonError('REVERT_CONFLICT', `Changed again since #${number}: ${named}.`);
  }
  if (entries.length === 0)
    throw new PhotonError('REVERT_UNFIT', `Nothing that #${number} changed is there any more.`);
  return entries;
}

/** Tree that the pull request's branch was made from: what its head has in common with the base before the merge. */
async function startOf(trees: RemoteTrees, pull: Pull): Promise<string> {
  const before = await trees.parentOf(pull.merge_commit_sha ?? '');
  return trees.treeOf(await trees.mergeBase(before, pull.head.sha));
}

interface TakeBack {
  readonly change: TreeDifference;
  readonly now: RemoteFile | null;
}

async function takeBack(
  trees: RemoteTrees,
  mergeText: MergeText,
  { change: { path, before, after }, now }: TakeBack,
): Promise<Entry | null | 'conflict'> {
  if (same(now, before)) return null;
  if (same(now, after)) {
    const mode = (before ?? now)?.mode ?? '100644';
    return { path, mode, type: 'blob', sha: before?.sha ?? null };
  }
  if (before === null || after === null || now === null) return 'conflict';
  if (![before, after, now].every(f => f.mode.startsWith('100'))) return 'conflict';
  const [base, ours, theirs] = [
    await trees.read(after.sha),
    await trees.read(now.sha),
    await trees.read(before.sha),
  ];
  if (base === null || ours === null || theirs === null) return 'conflict';
  const merged = await mergeText({ base, ours, theirs });
  if (merged === null) return 'conflict';
  const mode = now.mode === after.mode ? before.mode : now.mode;
  return { path, mode, type: 'blob', content: Buffer.from(merged).toString('utf8') };
}

function same(a: RemoteFile | null, b: RemoteFile | null): boolean {
  return a === null || b === null ? a === b : a.sha === b.sha && a.mode === b.mode;
}

interface CommitParts {
  readonly base: string;
  readonly baseTree: string;
  readonly entries: readonly Entry[];
  readonly title: string;
}

async function makeCommit(
  github: GitHub,
  { repository, pull, runId, coAuthor }: RevertRequest,
  { base, baseTree, entries, title }: CommitParts,
): Promise<MadeCommit> {
  const where = splitRepository(repository);
  const tree = await makeTree(github, where, { baseTree, entries });
  const trailers = [
    `Photon-Task: revert-${pull}`,
    `Photon-Run: ${runId}`,
    `Photon-Tree: ${tree}`,
    ...(coAuthor === '' ? [] : [coAuthor]),
  ];
  const message = [title, '', 'Not verified.', '', ...trailers, ''].join('\n');
  return commitTree(github, where, { tree, parents: [base], message });
}

const maxTitle = 60;

/** Names what is taken back, as git's own reverts do. */
function titleOf({ number, title }: { readonly number: number; readonly title: string }): string {
  const line = [...title.replace(/\s+/g, ' ').trim()];
  const shown = line.length > maxTitle ? `${line.slice(0, maxTitle - 1).join('')}…` : line.join('');
  return `Revert "${shown}" (pull request ${number})`;
}

function words(
  { pull, runId, settings }: RevertRequest,
  by: Actor,
  title: string,
): PullRequestText {
  const silent =
    by === 'github-token' && settings.dispatchWorkflow === ''
      ? 'It was made with `GITHUB_TOKEN`, for which GitHub starts no workflow: close it and open it again to start them.'
      : '';
  const parts = [
    `Takes back #${pull}.`,
    '**Nothing was verified**: only what that pull request changed is put back to what it was, over all that came since. Let the checks of this repository run before it is merged.',
    silent,
    `Run ${runId} of Photon.`,
    `<!-- photon:task=revert-${pull} -->`,
  ];
  return {
    title,
    body: parts.filter(p => p !== '').join('\n\n'),
  };
}
