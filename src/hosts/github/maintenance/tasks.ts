/** The maintenance tasks of the configuration ► tasks to run, or the reason why one does not run now. */
import type { DashboardState } from '../../../base/dashboard-state.ts';
import type { Task } from '../../../base/task.ts';
import type { MaintenanceTask } from '../../../settings/maintenance.ts';
import type { TaskPlan } from '../../host.ts';
import { taskOfInput } from '../../input-task.ts';
import { makeBranchName, quiet, refused } from '../../planned-task.ts';
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

/** State of the dashboard, which is read only if a task has a cool-down. */
async function stateFor(
  { github }: RepositoryContext,
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
    return { task, refused: refused('no_change', 'COOL_DOWN') };
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

function taskOfMaintenance(context: RepositoryContext, maintenance: MaintenanceTask): Task {
  const { name, prompt, paths, skills, labels } = maintenance;
  const task = taskOfPrompt(context, prompt, 'typed task');
  return {
    ...task,
    id: name,
    trigger: 'schedule',
    askedBy: 'schedule',
    maintenance: name,
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
  return { task, refused: refused('no_change', 'PULL_REQUEST_OPEN', message) };
}
