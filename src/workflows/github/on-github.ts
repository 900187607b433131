/** Runs a workflow in the Action: reads it from the default branch, runs it, and delivers pull requests. */
import { decideStart, isDisabled } from '../../agent/limits/gate.ts';
import { type Code, codes, PhotonError } from '../../base/codes.ts';
import type { Status } from '../../base/outcome.ts';
import { type DeliveryMode, decideDeliveryMode } from '../../hosts/delivery-mode.ts';
import { isAncestor } from '../../hosts/github/api/refs.ts';
import { authorise, trustedEvents } from '../../hosts/github/auth/access.ts';
import type { GitHubEnvironment } from '../../hosts/github/auth/repository-context.ts';
import { checkDelivery, findOpenPullRequest } from '../../hosts/github/delivery/branch.ts';
import {
  applyMetadata,
  type OpenedPull,
  openOrUpdatePull,
  type Pull,
  startWorkflow,
} from '../../hosts/github/delivery/open-pull.ts';
import type { OwnPull } from '../../hosts/github/delivery/own-pulls.ts';
import { approvedCommits, findPull } from '../../hosts/github/delivery/workflow-branch.ts';
import { withGitHub } from '../../hosts/github/open-github.ts';
import type { RunInput } from '../../hosts/host.ts';
import { inlineText } from '../../report/escape.ts';
import {
  hadNoSandbox,
  type PulledTask,
  renderWorkflowPull,
} from '../../report/pull-request/workflow-pull.ts';
import { renderWait } from '../../report/terminal/workflow-text.ts';
import type { FinishedRun } from '../../run/stages.ts';
import type { WorkflowOptions } from '../execution.ts';
import { inLocalHome } from '../local.ts';
import { approveInWorkflow, runWorkflow } from '../run-workflow.ts';
import { branchOfTask, findWaits, isDone, type WorkflowState } from '../state.ts';
import { parseWorkflow, type Workflow, workflowFolder, workflowName } from '../workflow-file.ts';
import { type GitHubHome, inGitHubHome } from './github-home.ts';

interface WorkflowReport {
  readonly workflow: string;
  readonly status: Status;
  readonly code: Code;
  readonly message: string;
  readonly tasks: readonly PulledTask[];
  readonly results: readonly FinishedRun[];
  readonly pulls: readonly DeliveredPull[];
  /** The last commit that this job pushed; may be empty. */
  readonly commit: string;
  readonly notes: readonly string[];
}

/** Inputs that apply to a single run or to the whole workflow, and not to its tasks. */
const notForTasks = ['task', 'sarif', 'mode', 'row', 'from-patch', 'staged', 'delivery'] as const;

/**
 * Runs the workflow that the input names, as far as possible.
 * @throws PhotonError `WORKFLOW_*`, `SETTING_INVALID`, and those of opening a run and of GitHub.
 */
export async function runWorkflowOnGitHub(input: RunInput): Promise<WorkflowReport> {
  const name = input.inputs.workflow?.trim() ?? '';
  if (input.inputs.task?.trim())
    throw new PhotonError('SETTING_INVALID', 'Set the input task or workflow, not both.');
  if (isDisabled(input.env)) return endWorkflow(name, 'no_change', 'DISABLED');
  return withGitHub(withoutTask(input), { kind: 'task', prompt: name }, async opened => {
    const shut = decideStart(opened.settings, input.now());
    if (shut !== undefined) return endWorkflow(name, 'no_change', shut);
    const unauthorised = await findUnauthorised(opened);
    if (unauthorised !== undefined)
      return { ...endWorkflow(name, 'no_change', 'EVENT_NOT_SERVED'), message: unauthorised };
    return carryOut(opened, await readWorkflow(opened, name));
  });
}

/** Keeps the name of the event and drops its subject, which is not that of the tasks. */
function withoutTask(input: RunInput): RunInput {
  const { repository } = (input.event.payload ?? {}) as { repository?: unknown };
  return { ...input, event: { name: input.event.name, payload: { repository }, taskInput: '' } };
}

/** Why the actor may not start the workflow, for events that anyone can cause; undefined for people with write access. */
async function findUnauthorised(opened: GitHubEnvironment): Promise<string | undefined> {
  const { input } = opened;
  if (trustedEvents.has(input.event.name)) return undefined;
  const asker = { login: input.actor, id: 0, type: 'User' };
  const { allowed, reason } = await authorise(opened, asker);
  return allowed ? undefined : `${inlineText(input.actor, 60)}, who caused the event, ${reason}.`;
}

async function readWorkflow({ trusted }: GitHubEnvironment, name: string): Promise<Workflow> {
  const files = await trusted();
  const file = `${workflowFolder}/${name}.yml`;
  const bytes = workflowName.test(name) ? await files.read(file) : undefined;
  if (bytes === undefined) {
    const there = (await files.list(workflowFolder)).filter(p => /\.yml$/.test(p)).join(', ');
    const message = `There is no workflow ${JSON.stringify(name)} on ${files.ref}. Available: ${there || 'none'}.`;
    throw new PhotonError('WORKFLOW_MISSING', message);
  }
  return parseWorkflow(Buffer.from(bytes).toString('utf8'), { name, file });
}

async function carryOut(opened: GitHubEnvironment, workflow: Workflow): Promise<WorkflowReport> {
  const { settings, input } = opened;
  const { target } = decideDeliveryMode(settings, input.delivery);
  const results = new Map<string, FinishedRun>();
  const kept = Object.fromEntries(notForTasks.map(n => [n, '']));
  const options: WorkflowOptions = {
    workflow,
    from: input.inputs.from?.trim() ?? '',
    input: { ...withoutTask(input), inputs: { ...input.inputs, ...kept } },
    ran: (task, result) => results.set(task.id, result),
  };
  const listTasks = (state: WorkflowState): readonly PulledTask[] => {
    const waits = findWaits(state, workflow);
    return workflow.tasks.map(({ id, outputs }) => {
      const found = state.tasks.find(t => t.id === id);
      if (found === undefined) throw new PhotonError('INTERNAL');
      const outcome = results.get(id)?.outcome;
      const wait = waits.get(id);
      return { ...found, outputs, wait, outcome };
    });
  };
  const makeReport = (state: WorkflowState, more: Partial<WorkflowReport> = {}): WorkflowReport => {
    const own = {
      workflow: workflow.name,
      tasks: listTasks(state),
      results: [...results.values()],
    };
    const report = { ...nothing, ...own, ...more };
    return { ...report, ...describeEnd(state, report, target) };
  };
  // without a delivery, the workflow runs in the clone of the runner only
  if (target !== 'publish')
    return inLocalHome(options, async home => makeReport(await runWorkflow(home, options)));
  // checked before any model request costs money
  await checkDelivery(opened.github, {
    baseRef: opened.baseRef,
    opensPull: true,
  });
  return inGitHubHome({ workflow, opened }, async home => {
    const ids = await approvedTasks(opened, home, workflow);
    const approved = ids.length === 0 ? home.found : await approveInWorkflow(home, options, ids);
    const state = await runWorkflow({ ...home, found: approved }, options);
    const commit = home.made()?.sha ?? '';
    return makeReport(state, {
      commit,
      ...(input.signal.aborted
        ? undefined
        : await deliverPulls({ opened, home, workflow, state, tasks: listTasks(state) })),
    });
  });
}

/** Tasks that no longer wait for a person, because they are merged or approved in a review. */
async function approvedTasks(opened: GitHubEnvironment, home: GitHubHome, workflow: Workflow) {
  const { github, log } = opened;
  const waiting = home.found.tasks.filter(t => t.status === 'NEEDS_REVIEW');
  if (waiting.length === 0) return [];
  if (home.merged) return waiting.map(t => t.id);
  const reviewed = new Map<number, readonly string[]>();
  const approvedOn = async (number: number) => {
    const found = reviewed.get(number) ?? (await approvedCommits(opened, number));
    reviewed.set(number, found);
    return found;
  };
  const ids: string[] = [];
  for (const { id, commit } of waiting) {
    const pull =
      workflow.pullRequest === 'one'
        ? home.pull
        : await findPull(github, branchOfTask(workflow.name, id));
    if (pull === undefined) continue;
    if (pull.state === 'merged') {
      ids.push(id);
      continue;
    }
    for (const approved of await approvedOn(pull.number)) {
      const part = { ancestor: commit ?? approved, commit: approved };
      if (part.ancestor !== approved && !(await isAncestor(github, part))) continue;
      ids.push(id);
      break;
    }
  }
  for (const id of ids) log(`Workflow: ${id} is approved.`);
  return ids;
}

/** The result of the job as a whole. Its message says which tasks wait, why and for whom. */
function describeEnd(
  state: WorkflowState,
  { tasks, pulls, results, commit }: Omit<WorkflowReport, 'status' | 'code' | 'message'>,
  target: DeliveryMode['target'],
): Pick<WorkflowReport, 'status' | 'code' | 'message'> {
  const numbers = pulls.map(p => `#${p.number}`).join(', ');
  const review = `a person with write access must approve or merge ${numbers || 'the pull request'}, then run the workflow again`;
  const waits = tasks.flatMap(({ id, wait }) =>
    wait === undefined ? [] : [`${id} ${renderWait(wait, { quote: t => inlineText(t), review })}.`],
  );
  const as = (status: Status, code: Code, first: string = codes[code].meaning) => {
    return { status, code, message: [first, ...waits].join(' ') };
  };
  const made = madeBy(target, results.length, commit);
  const failed = state.tasks.find(t => t.status === 'FAILED');
  if (failed !== undefined) {
    const code = (Object.hasOwn(codes, failed.code ?? '') ? failed.code : 'INTERNAL') as Code;
    return as('failed', code, `Task ${failed.id}: ${codes[code].meaning}`);
  }
  if (state.tasks.some(t => t.status === 'NEEDS_REVIEW'))
    return as(made?.[0] ?? 'no_change', 'WORKFLOW_WAITS');
  if (!isDone(state)) return as('failed', 'CANCELLED');
  if (numbers !== '') waits.push(`${numbers} waits for a person with write access to merge it.`);
  return made === undefined ? as('no_change', 'WORKFLOW_DONE') : as(...made);
}

/** What the job left: pushed commits, or commits in the clone of the runner alone; absent if no task ran. */
function madeBy(
  target: DeliveryMode['target'],
  runs: number,
  commit: string,
): readonly [Status, Code] | undefined {
  if (target === 'stage') return runs > 0 ? ['previewed', 'STAGED'] : undefined;
  if (target === 'report') return runs > 0 ? ['previewed', 'DRY_RUN'] : undefined;
  if (target === 'patch') return runs > 0 ? ['written', 'PATCH_WRITTEN'] : undefined;
  return commit === '' ? undefined : ['committed', 'COMMITTED'];
}

function endWorkflow(workflow: string, status: Status, code: Code): WorkflowReport {
  return { ...nothing, workflow, status, code, message: codes[code].meaning };
}

const nothing = { tasks: [], results: [], pulls: [], commit: '', notes: [] } as const;

interface PullsToDeliver {
  readonly opened: GitHubEnvironment;
  readonly home: GitHubHome;
  readonly workflow: Workflow;
  readonly state: WorkflowState;
  readonly tasks: readonly PulledTask[];
}

/** A pull request that was opened or updated. */
type DeliveredPull = Pick<OwnPull, 'number' | 'url' | 'branch'>;

/** The pull requests, and notes on optional steps that failed. */
interface DeliveredPulls {
  readonly pulls: readonly DeliveredPull[];
  readonly notes: readonly string[];
}

/** Opens or updates the pull requests of a workflow. Throws PhotonError `GITHUB_*`. */
async function deliverPulls(given: PullsToDeliver): Promise<DeliveredPulls> {
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
  { opened, home, workflow, tasks }: PullsToDeliver,
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
  const { number, html_url: url } = found.pull;
  const withMetadata = await applyMetadata(github, found, { ...settings, held });
  const start = { branch, held, workflow: bare ? settings.dispatchWorkflow : '' };
  const notes = [...found.notes, ...withMetadata, ...(await startWorkflow(github, start))];
  return { pull: { number, url, branch }, notes };
}
