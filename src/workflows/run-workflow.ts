/** Runs the tasks of a workflow, in parallel up to its limit. After each: commit, manifest, state. */
import { parseCommit } from './commit-text.ts';
import {
  change,
  openExecution,
  type WorkflowExecution,
  type WorkflowHome,
  type WorkflowOptions,
} from './execution.ts';
import { alignManifest, commitEnd, runTask } from './run-task.ts';
import {
  approveTask,
  endTask,
  readyTasks,
  resume,
  startFrom,
  type WorkflowState,
  withCommit,
} from './state.ts';

/**
 * Runs all tasks that are ready, and starts no more after a failure.
 * @returns the last saved state.
 * @throws PhotonError those of the home, `USAGE`.
 */
export async function runWorkflow(
  home: WorkflowHome,
  options: WorkflowOptions,
): Promise<WorkflowState> {
  const { workflow, from } = options;
  const execution = openExecution(home, options);
  const adopted = await adopt(home, options);
  await change(execution, () => {
    const state = resume(adopted);
    return from === '' ? state : startFrom(state, workflow, from);
  });
  await drain(execution);
  if (!options.input.signal.aborted) await alignManifest(execution);
  return execution.state;
}

/**
 * Approves tasks that wait for a person; each approval commits the updated manifest.
 * @throws PhotonError `USAGE`, and those of `runWorkflow`.
 */
export async function approveInWorkflow(
  home: WorkflowHome,
  options: WorkflowOptions,
  ids: readonly string[],
): Promise<WorkflowState> {
  const execution = openExecution(home, options);
  execution.state = await adopt(home, options);
  for (const id of ids) {
    const { run = '', code = '' } = execution.state.tasks.find(t => t.id === id) ?? {};
    const end = { status: 'COMPLETED', run, code } as const;
    await commitEnd(execution, id, { end, patch: [], next: s => approveTask(s, id) });
  }
  return execution.state;
}

/** Starts ready tasks while slots are free. After a failure or a cancellation it starts no more. */
async function drain(execution: WorkflowExecution): Promise<void> {
  const running = new Map<string, Promise<void>>();
  let broken: { readonly error: unknown } | undefined;
  for (;;) {
    const mayStart = broken === undefined && !execution.input.signal.aborted;
    const free = mayStart ? execution.workflow.parallel - running.size : 0;
    const ready = readyTasks(execution.state, execution.workflow).filter(t => !running.has(t.id));
    for (const task of ready.slice(0, free)) {
      const run = runTask(execution, task)
        .catch(error => {
          broken ??= { error };
        })
        .finally(() => running.delete(task.id));
      running.set(task.id, run);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  if (broken !== undefined) throw (broken as { readonly error: unknown }).error;
}

/** Adopts runs that were interrupted after their commit, before the state was saved: they do not run again. */
async function adopt(
  { since, found }: WorkflowHome,
  { workflow }: WorkflowOptions,
): Promise<WorkflowState> {
  let state = found;
  for (const { id, status, startedFrom } of found.tasks) {
    if (status !== 'RUNNING' || startedFrom === undefined) continue;
    for (const { commit, message } of await since(startedFrom)) {
      const end = parseCommit(message, { workflow: workflow.name, task: id });
      if (end === undefined) continue;
      state = endTask(state, id, end);
      if (end.status !== 'FAILED') state = withCommit(state, id, commit);
      break;
    }
  }
  return state;
}

/** Exit status: 1 for a failed task, or for a task that a cancelled run did not start. */
export function workflowStatus(state: WorkflowState, cancelled = false): 0 | 1 {
  const bad = ['FAILED', 'RUNNING', cancelled ? 'PENDING' : ''];
  return state.tasks.some(t => bad.includes(t.status)) ? 1 : 0;
}
