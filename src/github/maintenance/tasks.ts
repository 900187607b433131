/** The maintenance tasks of the configuration ► tasks to run, or why one of them is not due. */

import { type Code, codes } from '../../codes.ts';
import type { DashboardState } from '../../dashboard-state.ts';
import type { MaintenanceTask } from '../../settings/maintenance.ts';
import type { Task } from '../../task.ts';
import { branchOf } from '../events/branch-of.ts';
import { taskOfInput } from '../events/input-task.ts';
import type { Planned, TaskGround } from '../events/planned-task.ts';
import { findOpenPullRequest, isOwnHead } from '../publish/publish.ts';
import { findDashboard } from './dashboard.ts';

/** Which tasks: all that are due, or some by name, due or not. */
export type MaintenanceSelection = 'due' | readonly string[];

/** A person who ticks a box does not wait for the cool-down; open pull requests still count. */
export async function maintenanceTasks(
  options: TaskGround,
  wanted: MaintenanceSelection,
): Promise<readonly Planned[]> {
  const { maintenance } = options.settings;
  const chosen = wanted === 'due' ? maintenance : maintenance.filter(m => wanted.includes(m.name));
  if (chosen.length === 0) return [{ task: null, refused: quiet('NO_MAINTENANCE') }];
  const state = wanted === 'due' ? await stateFor(options, chosen) : {};
  const planned: Planned[] = [];
  for (const each of chosen) planned.push(await planOne(options, each, state));
  return planned;
}

/** The dashboard is asked only when a task has a cool-down. */
async function stateFor(
  { github, repository }: TaskGround,
  chosen: readonly MaintenanceTask[],
): Promise<DashboardState> {
  if (chosen.every(m => !m.coolDownHours)) return {};
  return (await findDashboard(await github(), repository))?.state ?? {};
}

async function planOne(
  options: TaskGround,
  maintenance: MaintenanceTask,
  state: DashboardState,
): Promise<Planned> {
  const task = taskOfMaintenance(options, maintenance);
  if (isCooling(maintenance, state[maintenance.name]?.at, options.now()))
    return { task, refused: quiet('COOL_DOWN') };
  return findPlace(options, task, maintenance.maxOpen ?? 1);
}

/** True until `coolDownHours` have gone by since a run that ended at `last` (ISO 8601). */
export function isCooling(
  { coolDownHours = 0 }: Pick<MaintenanceTask, 'coolDownHours'>,
  last: string | undefined,
  now: number,
): boolean {
  return last !== undefined && now - Date.parse(last) < coolDownHours * 3_600_000;
}

function taskOfMaintenance(options: TaskGround, maintenance: MaintenanceTask): Task {
  const { name, prompt, paths, skills, labels } = maintenance;
  return {
    ...taskOfInput(options, prompt),
    id: name,
    trigger: 'schedule',
    askedBy: 'schedule',
    maintenance: name,
    ...(labels === undefined ? {} : { labels }),
    ...(paths === undefined ? {} : { paths }),
    ...(skills === undefined ? {} : { skills }),
  };
}

/**
 * A task whose pull requests are open, with nothing of a person's on them, is left alone. With
 * `maxOpen` above one each pull request has a branch of its own, and the first free one is taken.
 */
async function findPlace(options: TaskGround, task: Task, maxOpen: number): Promise<Planned> {
  const github = await options.github();
  let last = 0;
  for (let i = 1; i <= maxOpen; i++) {
    const placed = i === 1 ? task : { ...task, id: `${task.id}-${i}` };
    const branch = branchOf(placed, options.settings);
    const pull = await findOpenPullRequest(github, options.repository, branch);
    if (pull === null) return { task: placed };
    const head = { sha: pull.head.sha, taskId: placed.id };
    if (maxOpen === 1 && !(await isOwnHead(github, options.repository, head)))
      return { task: placed };
    last = pull.number;
  }
  const message =
    maxOpen === 1
      ? `Pull request #${last} of this task is still open.`
      : `${maxOpen} pull requests of this task are open, #${last} the last of them.`;
  return { task, refused: { status: 'no_change', code: 'PULL_REQUEST_OPEN', message } };
}

function quiet(code: Code): NonNullable<Planned['refused']> {
  return { status: 'no_change', code, message: codes[code].meaning };
}
