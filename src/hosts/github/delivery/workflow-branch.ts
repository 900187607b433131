/** A workflow on GitHub: its branch, and its state on a separate ref. Both change together or not at all. */
import { PhotonError } from '../../../base/codes.ts';
import { oneAtATime } from '../../../base/once.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import { type Actor, commitFile, createCommit, readCommittedFile } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { listPulls, listReviews, type Review, readPullState } from '../api/pull-files.ts';
import { type RefChange, readRef, swapRefs } from '../api/refs.ts';
import { authorise } from '../auth/access.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import type { Pull } from './open-pull.ts';

interface RemoteOptions {
  readonly name: string;
  readonly branch: string;
  /** A client for the last state when the run was cancelled. */
  readonly rescue: () => Promise<GitHub>;
}

/** A commit that further commits are built on, with its tree. */
interface CommitBase {
  readonly commit: string;
  readonly tree: string;
}

interface RemoteCommit {
  readonly message: string;
  readonly changes: readonly FileChange[];
  /** Tree that the commit must have. */
  readonly expectedTree: string;
  /** Text of the state after the commit. */
  readonly state: (commit: string) => string;
  /** A second branch to set to the commit; empty for none. */
  readonly alsoBranch: string;
}

export interface RemoteWorkflow {
  /** Head of the branch, or undefined. */
  readonly head: string | undefined;
  /** Text of the last saved state; undefined when none was saved. */
  readonly state: string | undefined;
  /** The next commit is built on this one. If the branch does not hold it, the branch is replaced. */
  standOn(base: CommitBase): void;
  /** Saves a state. Calls take effect in their order. */
  save(text: string): Promise<void>;
  /** Adds a commit and saves the state in one change. @returns its id, and the owner of the token. */
  commit(commit: RemoteCommit): Promise<{ readonly sha: string; readonly by: Actor }>;
}

const stateFile = 'state.json';

/** Name of the ref that holds the state of a workflow. */
export function stateRef(name: string): string {
  return `refs/photon/workflows/${name}`;
}

/**
 * Reads the state of a workflow. Later changes fail if somebody else has changed the workflow.
 * @throws PhotonError `GITHUB_*`; `save` and `commit` also `WORKFLOW_BUSY`, `BRANCH_MOVED`, `PUBLISH_MISMATCH`.
 */
export async function openRemote(github: GitHub, options: RemoteOptions): Promise<RemoteWorkflow> {
  const { branch, name, rescue } = options;
  const kept = await readRef(github, stateRef(name));
  const state =
    kept === undefined
      ? undefined
      : await readCommittedFile(github, { commit: kept, path: stateFile });
  const head = await readRef(github, `refs/heads/${branch}`);
  const now = { head, kept, text: state ?? '' };
  let base: CommitBase | undefined;
  const alone = oneAtATime();

  const keep = async (api: GitHub, text: string, others: readonly RefChange[]) => {
    const message = `State of workflow ${name}\n`;
    const file = { path: stateFile, text, message, parent: now.kept };
    const kept = await commitFile(api, file);
    const change = { name: stateRef(name), before: now.kept, after: kept };
    const swapped = await swapRefs(api, [...others, change]);
    if (!swapped.ok) throw movedOn(options, { others, now: swapped.now, seen: now.kept });
    Object.assign(now, { kept, text });
  };
  return {
    head,
    state,
    standOn: point => {
      base = point;
    },
    save: text =>
      alone(async () => {
        if (text === now.text) return;
        const api = github.signal.aborted ? await rescue() : github;
        await keep(api, text, []);
      }),
    commit: ({ message, changes, expectedTree, state, alsoBranch }) =>
      alone(async () => {
        if (base === undefined) throw new PhotonError('INTERNAL', 'a commit without a base');
        const made = await createCommit(github, {
          changes,
          expectedTree,
          commitMessage: message,
          baseCommit: base.commit,
          baseTree: base.tree,
        });
        const refs = [{ name: `refs/heads/${branch}`, before: now.head, after: made.sha }];
        if (alsoBranch !== '') {
          const also = `refs/heads/${alsoBranch}`;
          refs.push({
            name: also,
            before: await readRef(github, also),
            after: made.sha,
          });
        }
        await keep(github, state(made.sha), refs);
        now.head = made.sha;
        base = { commit: made.sha, tree: expectedTree };
        return made;
      }),
  };
}

interface FailedChange {
  readonly others: readonly RefChange[];
  /** What the refs point at now. */
  readonly now: ReadonlyMap<string, string | undefined>;
  /** The commit of the state that this run knew. */
  readonly seen: string | undefined;
}

/** The error for a change that came too late. */
function movedOn(
  { name, branch }: RemoteOptions,
  { others, now, seen }: FailedChange,
): PhotonError {
  if (now.get(stateRef(name)) !== seen)
    return new PhotonError('WORKFLOW_BUSY', `Another run has changed the state of ${name}.`, {
      hint: 'Wait until it ends. Give the job a concurrency group with the name of the workflow.',
    });
  const moved = others.find(o => now.get(o.name) !== o.before);
  const what = moved?.name.slice('refs/heads/'.length) ?? branch;
  return new PhotonError('BRANCH_MOVED', `Somebody moved ${what} while a task ran.`);
}

/** The newest pull request of a branch. */
export interface BranchPull extends Pull {
  readonly state: 'open' | 'merged' | 'closed';
  readonly headSha: string;
}

/** The newest pull request of a branch in any state; undefined when there was none. Throws PhotonError `GITHUB_*`. */
export async function findPull(github: GitHub, branch: string): Promise<BranchPull | undefined> {
  const [newest] = await listPulls(github, branch, 'all');
  if (newest === undefined) return undefined;
  const { number, html_url, node_id, draft, head } = newest;
  return { number, html_url, node_id, draft, state: readPullState(newest), headSha: head.sha };
}

/**
 * Commits that people with write access have approved, and not withdrawn since.
 * @throws PhotonError `GITHUB_*`.
 */
export async function approvedCommits(
  context: Pick<GitHubEnvironment, 'github' | 'settings' | 'log'>,
  number: number,
): Promise<readonly string[]> {
  const latest = new Map<string, Review>();
  for (const review of await listReviews(context.github, number)) {
    const decides = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED'].includes(review.state);
    if (review.user !== null && decides) latest.set(review.user.login, review);
  }
  const commits: string[] = [];
  for (const { state, user, commit_id: commit } of latest.values()) {
    if (state !== 'APPROVED' || user === null || commit === null) continue;
    const { login, id, type } = user;
    const { allowed, reason } = await authorise(context, { login, id, type });
    if (allowed) commits.push(commit);
    else
      context.log(
        `Workflow: the approval by ${login} does not count, because this account ${reason}.`,
      );
  }
  return commits;
}
