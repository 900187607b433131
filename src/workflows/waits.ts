/** Finds why the tasks of a workflow wait. Pure. */
import type { Wait } from '../report/terminal/workflow-text.ts';
import type { TaskState, WorkflowState } from './state.ts';
import type { Workflow, WorkflowTask } from './workflow-file.ts';

/** Why each task that is neither done, skipped, running nor failed waits, by its id. */
export function findWaits(state: WorkflowState, workflow: Workflow): ReadonlyMap<string, Wait> {
  const taskOf = new Map(workflow.tasks.map(t => [t.id, t]));
  const waits = state.tasks.flatMap(task => {
    const wait = findWait(task, taskOf.get(task.id), state);
    return wait === undefined ? [] : [[task.id, wait] as const];
  });
  return new Map(waits);
}

function findWait(
  { status, flagged = [] }: TaskState,
  task: WorkflowTask | undefined,
  { tasks }: WorkflowState,
): Wait | undefined {
  if (status === 'NEEDS_REVIEW') {
    if (flagged.length > 0) return { for: 'review', reason: 'flagged', paths: flagged };
    return { for: 'review', reason: task?.review ? 'required' : 'doubt' };
  }
  if (status !== 'PENDING') return undefined;
  const failed = tasks.find(t => t.status === 'FAILED');
  if (failed !== undefined) return { for: 'repair', failed: failed.id, code: failed.code ?? '' };
  const open = tasks.filter(
    t => task?.dependsOn.includes(t.id) && !['COMPLETED', 'SKIPPED'].includes(t.status),
  );
  if (open.length === 0) return { for: 'start' };
  return { for: 'tasks', tasks: open.map(t => ({ id: t.id, status: t.status })) };
}
