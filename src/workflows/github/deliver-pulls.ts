/** Delivers the pull requests of a workflow: one with a commit per task, or a stack with one per task. */
import type { GitHubEnvironment } from '../../hosts/github/auth/repository-context.ts';
import { findOpenPullRequest } from '../../hosts/github/delivery/branch.ts';
import {
  applyMetadata,
  type OpenedPull,
  openOrUpdatePull,
  type Pull,
  startWorkflow,
} from '../../hosts/github/delivery/open-pull.ts';
import { findPull } from '../../hosts/github/delivery/workflow-branch.ts';
import {
  hadNoSandbox,
  type PulledTask,
  renderWorkflowPull,
} from '../../report/pull-request/workflow-pull.ts';
import { branchOfTask, type WorkflowState } from '../state.ts';
import type { Workflow } from '../workflow-file.ts';
import type { GitHubHome } from './github-home.ts';

interface PullsToDeliver {
  readonly opened: GitHubEnvironment;
  readonly home: GitHubHome;
  readonly workflow: Workflow;
  readonly state: WorkflowState;
  readonly tasks: readonly PulledTask[];
  /** Branches whose pull request this process opened; the function adds to it. */
  readonly created: Set<string>;
}

/** A pull request that was opened or updated. */
export interface DeliveredPull {
  readonly number: number;
  readonly url: string;
  readonly branch: string;
  readonly operation: 'created' | 'updated';
}

/** The pull requests, and notes on optional steps that failed. */
export interface DeliveredPulls {
  readonly pulls: readonly DeliveredPull[];
  readonly notes: readonly string[];
}

/** Opens or updates the pull requests of a workflow. Throws PhotonError `GITHUB_*`. */
export async function deliverPulls(given: PullsToDeliver): Promise<DeliveredPulls> {
  const { opened, home, state, workflow } = given;
  const committed = state.tasks.filter(t => t.commit !== undefined);
  // merged work needs no pull request, and neither does a branch without a patch
  if (committed.length === 0 || (home.merged && home.made() === undefined))
    return { pulls: [], notes: [] };
  const { github } = opened;
  if (workflow.pullRequest === 'one') {
    const known = await findOpenPullRequest(github, state.branch);
    const made = await openOne(given, { branch: state.branch, baseRef: opened.baseRef, known });
    return { pulls: [made.pull], notes: made.notes };
  }
  const pulls: DeliveredPull[] = [];
  const notes: string[] = [];
  let baseRef = opened.baseRef;
  const stacked = committed.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  for (const { id } of stacked) {
    const branch = branchOfTask(workflow.name, id);
    const known = await findPull(github, branch);
    if (known !== undefined && known.state !== 'open') continue;
    const made = await openOne(given, { branch, baseRef, known, only: id });
    pulls.push(made.pull);
    notes.push(...made.notes);
    baseRef = branch;
  }
  return { pulls, notes };
}

interface PullSpec {
  readonly branch: string;
  readonly baseRef: string;
  readonly known: Pull | undefined;
  readonly only?: string;
}

async function openOne(
  { opened, home, workflow, tasks, created }: PullsToDeliver,
  { branch, baseRef, known, only }: PullSpec,
): Promise<{ readonly pull: DeliveredPull; readonly notes: readonly string[] }> {
  const { github, settings, input } = opened;
  const shown = only === undefined ? tasks : tasks.filter(t => t.id === only);
  const held = shown.some(t => (t.flagged ?? []).length > 0 || hadNoSandbox(t));
  const draft = settings.draft || held || shown.some(t => t.status !== 'COMPLETED');
  const bare = home.made()?.by === 'github-token';
  const started = held ? '' : settings.dispatchWorkflow;
  const { title, body } = renderWorkflowPull({
    workflow: workflow.name,
    tasks,
    startsNoWorkflow: bare,
    startedWorkflow: started,
    only,
    page: input.page,
  });
  const found: OpenedPull = await openOrUpdatePull(github, {
    branch,
    baseRef,
    title,
    body,
    draft,
    ready: !settings.draft,
    known,
  });
  const { number, html_url: url, node_id: nodeId } = found.pull;
  const fresh = found.operation === 'created';
  if (fresh) created.add(branch);
  const operation = created.has(branch) ? 'created' : 'updated';
  const withMetadata = await applyMetadata(
    github,
    { number, nodeId, fresh },
    { ...settings, held },
  );
  const start = { branch, held, workflow: bare ? settings.dispatchWorkflow : '' };
  const notes = [...found.notes, ...withMetadata, ...(await startWorkflow(github, start))];
  return { pull: { number, url, branch, operation }, notes };
}
