/** Keeps a workflow on GitHub: pushes each commit at once, together with the state that refers to it. */
import { PhotonError } from '../../base/codes.ts';
import type { Actor } from '../../hosts/github/api/commit-objects.ts';
import { fetchDrift, RemoteTrees } from '../../hosts/github/api/remote-tree.ts';
import type { GitHubEnvironment } from '../../hosts/github/auth/repository-context.ts';
import {
  type BranchPull,
  findPull,
  openRemote,
  type RemoteWorkflow,
  stateRef,
} from '../../hosts/github/delivery/workflow-branch.ts';
import {
  type BranchTree,
  branchTreePlace,
  openBranchTree,
} from '../../workspace/commits/branch-tree.ts';
import type { WorkflowHome } from '../execution.ts';
import {
  branchOfTask,
  isDone,
  parseState,
  reconcile,
  renderState,
  startState,
  type WorkflowState,
} from '../state.ts';
import type { Workflow } from '../workflow-file.ts';

interface GitHubHomeOptions {
  readonly workflow: Workflow;
  readonly opened: GitHubEnvironment;
}

export interface GitHubHome extends WorkflowHome {
  /** The newest pull request of the branch; undefined when there was none. */
  readonly pull: BranchPull | undefined;
  /** True when the branch is merged; then no task waits for a person. */
  readonly merged: boolean;
  /** Head of the branch on GitHub, and whose token made the commit; undefined while this process made none. */
  readonly made: () => { readonly sha: string; readonly by: Actor } | undefined;
}

/** Maximum time for a cancelled job to save its state. */
const rescueMs = 4_000;

/**
 * Runs `work` with the home of a workflow on GitHub. A local branch mirrors the one on GitHub: the same
 * trees, in commits of its own.
 * @throws PhotonError `WORKFLOW_BRANCH`, `WORKFLOW_STATE_INVALID`, `GITHUB_*`, `GIT`.
 */
export async function inGitHubHome<T>(
  place: GitHubHomeOptions,
  work: (home: GitHubHome) => Promise<T>,
): Promise<T> {
  const { workflow, opened } = place;
  const { github, input, git } = opened;
  const { name } = workflow;
  const fresh = startState(workflow);
  const remote = await openRemote(github, {
    name,
    branch: fresh.branch,
    rescue: () => opened.reporter(rescueMs),
  });
  const found = await findStart(place, remote, fresh);
  const branch = await openBranchTree(
    { cwd: input.workspace, programs: input.programs },
    {
      ref: `refs/photon/workflows/${name}`,
      folder: branchTreePlace(input.tempRoot, name),
      anew: true,
    },
  );
  try {
    const onto = found.onto ?? git.commit;
    const tree = await bringTo(place, branch, onto);
    remote.standOn({ commit: onto, tree });
    const names = new Map([[await branch.tip(), onto]]);
    let made: ReturnType<GitHubHome['made']>;
    return await work({
      branch,
      found: found.state,
      pull: found.pull,
      merged: found.merged,
      save: state => remote.save(renderState(state)),
      // branch and state change together
      since: async () => [],
      idOf: commit => names.get(commit) ?? commit,
      made: () => made,
      readOnly: () => false,
      commit: async ({ message, changes, state, task }) => {
        const local = await branch.commit(message, changes, input.now());
        made = await remote.commit({
          message,
          changes,
          expectedTree: await branch.readTree(local),
          state: commit => renderState(state(commit)),
          alsoBranch:
            workflow.pullRequest === 'per-task' && task !== '' ? branchOfTask(name, task) : '',
        });
        names.set(local, made.sha);
      },
    });
  } finally {
    await branch.close();
  }
}

interface Start {
  readonly state: WorkflowState;
  /** Commit on GitHub to go on from; undefined for that of the checkout. */
  readonly onto: string | undefined;
  readonly pull: BranchPull | undefined;
  readonly merged: boolean;
}

/** Goes on where the branch is; from the base again when its pull request is merged, anew when it is all over. */
async function findStart(
  { workflow, opened }: GitHubHomeOptions,
  remote: RemoteWorkflow,
  fresh: WorkflowState,
): Promise<Start> {
  const { log } = opened;
  const { head } = remote;
  const anew = { state: fresh, onto: undefined, pull: undefined, merged: false };
  if (remote.state === undefined) {
    if (head === undefined) return anew;
    throw new PhotonError(
      'WORKFLOW_BRANCH',
      `${fresh.branch} is there already, but no state in ${stateRef(workflow.name)}.`,
    );
  }
  const state = reconcile(parseState(remote.state, stateRef(workflow.name)), workflow);
  const pull = await findPull(opened.github, fresh.branch);
  const started = state.tasks.some(t => t.attempts > 0);
  const again = (why: string): Start => {
    if (started) log(`Workflow: ${why}; it starts again from the beginning.`);
    return anew;
  };
  // commits after the last one of the pull request belong to a later job
  const over =
    pull !== undefined && pull.state !== 'open' && (head === undefined || head === pull.headSha);
  if (over && pull.state === 'closed') return again(`#${pull.number} was closed without a merge`);
  if (over && isDone(state)) return again(`#${pull.number} is merged`);
  if (over) return { state, onto: undefined, pull: undefined, merged: true };
  const held = state.tasks.some(t => t.commit !== undefined);
  if (head === undefined && held) return again(`${fresh.branch} is gone`);
  return { state, onto: head, pull: pull?.state === 'open' ? pull : undefined, merged: false };
}

/** Brings the local branch to the tree of a commit on GitHub, and returns that tree. */
async function bringTo({ opened }: GitHubHomeOptions, branch: BranchTree, onto: string) {
  const { git, input } = opened;
  if (onto === git.commit) return git.fullTree;
  const trees = new RemoteTrees(opened.github);
  const tree = await trees.readTree(onto);
  if (tree === git.fullTree) return tree;
  const drift = await fetchDrift(trees, { from: git.fullTree, to: tree });
  if (drift === undefined)
    throw new PhotonError(
      'WORKFLOW_BRANCH',
      'The branch of the workflow differs too much from the checkout to be fetched.',
      { hint: 'Merge or update the branch, or check out a commit closer to it.' },
    );
  const local = await branch.commit('Update to the branch on GitHub\n', drift, input.now());
  if ((await branch.readTree(local)) !== tree)
    throw new PhotonError('PUBLISH_MISMATCH', `Could not rebuild the tree of ${onto}.`);
  return tree;
}
