/** The maintenance tasks of the configuration, and the rows of a fleet’s plan ► tasks to run, or the reason why one does not run now. */
import * as z from 'zod';
import { PhotonError } from '../../../base/codes.ts';
import type { DashboardState } from '../../../base/dashboard-state.ts';
import { pathPattern, patternsBelow } from '../../../base/path-patterns.ts';
import { readJson } from '../../../base/schema-issue.ts';
import type { Task } from '../../../base/task.ts';
import type { MaintenanceTask } from '../../../settings/maintenance.ts';
import type { RunInput, TaskPlan } from '../../host.ts';
import { taskOfInput } from '../../input-task.ts';
import { makeBranchName, quiet, refuseTask } from '../../planned-task.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { findOpenPullRequest, isOwnHead } from '../delivery/branch.ts';
import { chooseEndStage } from '../parse/verbs.ts';
import { findDashboard } from './dashboard.ts';

/** All tasks that are due, or some by name whether they are due or not. */
type MaintenanceSelection = 'due' | readonly string[];

/** Plans the selected tasks. A task that a person ticked skips the cool-down, but not the check for open pull requests. */
export async function maintenanceTasks(
  context: RepositoryContext,
  wanted: MaintenanceSelection,
): Promise<readonly TaskPlan[]> {
  const { maintenance } = context.settings;
  const chosen = wanted === 'due' ? maintenance : maintenance.filter(m => wanted.includes(m.name));
  if (chosen.length === 0) return [quiet('NO_MAINTENANCE')];
  const state = wanted === 'due' ? await stateFor(context, chosen) : {};
  const planned: TaskPlan[] = [];
  for (const each of chosen) planned.push(await planOne(context, each, state));
  return planned;
}

/** State of the dashboard, which is read only if a task has a cool-down. @throws PhotonError `GITHUB_*`. */
export async function stateFor(
  { github }: Pick<RepositoryContext, 'github'>,
  chosen: readonly MaintenanceTask[],
): Promise<DashboardState> {
  if (chosen.every(m => !m.coolDownHours)) return {};
  return (await findDashboard(github))?.state ?? {};
}

async function planOne(
  context: RepositoryContext,
  maintenance: MaintenanceTask,
  state: DashboardState,
): Promise<TaskPlan> {
  const task = taskOfMaintenance(context, maintenance);
  if (isCooling(maintenance, state[maintenance.name]?.at, context.now()))
    return { task, refused: refuseTask('no_change', 'COOL_DOWN') };
  return findFreeBranch(context, task, maintenance.maxOpen ?? 1);
}

/** True until `coolDownHours` have passed since a run that ended at `last` (ISO 8601). */
export function isCooling(
  { coolDownHours = 0 }: Pick<MaintenanceTask, 'coolDownHours'>,
  last: string | undefined,
  now: number,
): boolean {
  return last !== undefined && now - Date.parse(last) < coolDownHours * 3_600_000;
}

/** The task of a prompt, which a workflow can take from a page. If plans need approval here, its run ends with one. */
export function taskOfPrompt(
  context: RepositoryContext,
  prompt: string,
  source: 'task input' | 'typed task' = 'task input',
): Task {
  const until = chooseEndStage('fix', context.settings.triggers);
  return taskOfInput(context, prompt, { source, until });
}

/** Nobody in particular asked for a maintenance task, whoever started its run. */
function asScheduled(task: Task, maintenance: string): Task {
  return { ...task, trigger: 'schedule', askedBy: 'schedule', maintenance };
}

function taskOfMaintenance(context: RepositoryContext, maintenance: MaintenanceTask): Task {
  const { name, prompt, paths, skills, labels } = maintenance;
  const task = taskOfPrompt(context, prompt, 'typed task');
  return {
    ...asScheduled(task, name),
    id: name,
    labels: labels ?? task.labels,
    paths: paths ?? task.paths,
    skills: skills ?? task.skills,
  };
}

/**
 * A task is left alone while its pull requests are open and only Photon has committed to them. With
 * `maxOpen` above one each pull request has its own branch, and the task gets the first free branch.
 */
async function findFreeBranch(
  context: RepositoryContext,
  task: Task,
  maxOpen: number,
): Promise<TaskPlan> {
  const { github } = context;
  let last = 0;
  for (let i = 1; i <= maxOpen; i++) {
    const candidate = i === 1 ? task : { ...task, id: `${task.id}-${i}` };
    const branch = makeBranchName(candidate, context.settings);
    const pull = await findOpenPullRequest(github, branch);
    if (pull === undefined) return { task: candidate };
    const head = { sha: pull.head.sha, taskId: candidate.id };
    if (maxOpen === 1 && !(await isOwnHead(github, head))) return { task: candidate };
    last = pull.number;
  }
  const message =
    maxOpen === 1
      ? `Pull request #${last} of this task is still open.`
      : `${maxOpen} pull requests of this task are open. The last one is #${last}.`;
  return { task, refused: refuseTask('no_change', 'PULL_REQUEST_OPEN', message) };
}

const texts = z.array(z.string().min(1).max(200)).max(50);

/** A row as the workflow passes it on (`toJSON(matrix)`). */
const rowSchema = z.object({
  /** Names the artifact of the row and, with the package, its branch. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/),
  task: z.string().min(1).max(20_000),
  /** `owner/name`. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  /** Folder of the package; empty for the whole repository. */
  package: z.string().max(500),
  /** Name of the maintenance task; empty for a task of the input. */
  maintenance: z.string().max(40),
  labels: texts,
  paths: z.array(pathPattern).max(50),
  skills: texts,
});

export type FleetRow = z.infer<typeof rowSchema>;

/**
 * The row in the input; undefined when the input is empty.
 * @throws PhotonError `ROW_INVALID` that names each wrong key.
 */
export function parseRow(text: string): FleetRow | undefined {
  if (text.trim() === '') return undefined;
  const fail = (_why: string, cause: unknown) =>
    new PhotonError('ROW_INVALID', 'row is not JSON', { cause });
  const parsed = rowSchema.safeParse(readJson(text, fail));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    i => `row: /${i.path.map(String).join('/')}: ${i.message}`,
  );
  throw new PhotonError('ROW_INVALID', problems.join('\n'));
}

/** The input for the row's repository. The workflow's ref and commit belong to another repository, so they are removed. */
export function aimAt(input: RunInput, row: FleetRow | undefined): RunInput {
  if (row === undefined || row.repository === input.repository) return input;
  return { ...input, repository: row.repository, ref: '', sha: '' };
}

/** The task of a row. The patch of a package's task stays in the package's folder. */
export function taskOfRow(context: RepositoryContext, row: FleetRow): Task {
  const scope = row.package === '' ? '' : `Work in the package ${row.package} alone.\n\n`;
  const { paths: given } = row;
  const paths =
    row.package === '' ? given : patternsBelow(row.package, given.length === 0 ? ['/**'] : given);
  const task = taskOfPrompt(context, `${scope}${row.task}`);
  return {
    ...(row.maintenance === '' ? task : asScheduled(task, row.maintenance)),
    id: row.id,
    paths: paths.length === 0 ? task.paths : paths,
    skills: row.skills.length === 0 ? task.skills : row.skills,
    labels: row.labels.length === 0 ? task.labels : row.labels,
  };
}
