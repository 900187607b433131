/** Defines the state of a workflow, every allowed change of it, and why tasks wait. */
import * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import { digest } from '../base/digest.ts';
import type { Wait } from '../report/terminal/workflow-text.ts';
import { type ManifestTask, taskStatuses } from './manifest.ts';
import { type Workflow, type WorkflowTask, withDependents } from './workflow-file.ts';

const taskState = z.strictObject({
  id: z.string(),
  status: z.enum(taskStatuses),
  /** sha256 of the task in the workflow file; a changed task runs again. */
  digest: z.string(),
  /** Number of runs started for the task. */
  attempts: z.int().min(0),
  /** Commit of the branch that its last run started from. */
  startedFrom: z.string().optional(),
  /** Commit that contains its patch. */
  commit: z.string().optional(),
  /** Number of the commit among those with a patch; later ones are higher. */
  sequence: z.int().min(1).optional(),
  /** Id of its last run, and the code with which it ended. */
  run: z.string().optional(),
  code: z.string().optional(),
  /** What proved its patch, as a short phrase, and the head of the ledger of its run. */
  proof: z.string().optional(),
  ledger: z.string().optional(),
  /** Files of its patch that need human review. */
  flagged: z.array(z.string()).optional(),
});

const stateSchema = z.strictObject({
  schema: z.literal(1),
  workflow: z.string(),
  branch: z.string(),
  tasks: z.array(taskState),
});

export type TaskState = Readonly<z.output<typeof taskState>>;

/** The state of a workflow, schema version 1; tasks in dependency order. */
export type WorkflowState = Readonly<z.output<typeof stateSchema>>;

export interface TaskEnd {
  readonly status: 'COMPLETED' | 'FAILED' | 'NEEDS_REVIEW';
  readonly run: string;
  readonly code: string;
  readonly proof?: string;
  readonly ledger?: string;
  readonly flagged?: readonly string[];
  readonly commit?: string;
}

function branchOfWorkflow(name: string): string {
  return `photon/workflow-${name}`;
}

/** Branch of one task, when each task has its own pull request. Names of workflows contain no dot. */
export function branchOfTask(workflow: string, task: string): string {
  return `${branchOfWorkflow(workflow)}.${task}`;
}

export function startState(workflow: Workflow): WorkflowState {
  return {
    schema: 1,
    workflow: workflow.name,
    branch: branchOfWorkflow(workflow.name),
    tasks: workflow.tasks.map(fresh),
  };
}

/** Parses a state file. @throws PhotonError `WORKFLOW_STATE_INVALID`. */
export function parseState(text: string, path: string): WorkflowState {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new PhotonError('WORKFLOW_STATE_INVALID', `${path}: ${why}`, { cause });
  }
}

export function renderState(state: WorkflowState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** Adapts the state to the current workflow file: changed tasks, and all that depend on them, are pending again. */
export function reconcile(state: WorkflowState, workflow: Workflow): WorkflowState {
  const known = new Map(state.tasks.map(t => [t.id, t]));
  const changed = workflow.tasks.filter(t => known.get(t.id)?.digest !== hashTask(t));
  const stale = new Set(changed.flatMap(t => [...withDependents(workflow.tasks, t.id)]));
  const tasks = workflow.tasks.map((task): TaskState => {
    const old = known.get(task.id);
    if (old === undefined) return fresh(task);
    return stale.has(task.id) ? { ...old, status: 'PENDING', digest: hashTask(task) } : old;
  });
  return { ...state, tasks };
}

/** The state at a new start: interrupted and failed tasks are pending again. */
export function resume(state: WorkflowState): WorkflowState {
  return mapTasks(state, t =>
    t.status === 'RUNNING' || t.status === 'FAILED' ? { ...t, status: 'PENDING' } : t,
  );
}

/** Starts at a task: it and all that depend on it run again; unfinished tasks before it are skipped. */
export function startFrom(state: WorkflowState, workflow: Workflow, from: string): WorkflowState {
  const again = withDependents(workflow.tasks, from);
  const at = state.tasks.findIndex(t => t.id === from);
  if (at < 0) throw new PhotonError('USAGE', `The workflow has no task ${JSON.stringify(from)}.`);
  return mapTasks(state, (task, i) => {
    if (again.has(task.id)) return { ...task, status: 'PENDING' };
    return i < at && task.status !== 'COMPLETED' ? { ...task, status: 'SKIPPED' } : task;
  });
}

/** Tasks that may run now, in workflow order; none after a failure. */
export function readyTasks(state: WorkflowState, workflow: Workflow): readonly WorkflowTask[] {
  if (state.tasks.some(t => t.status === 'FAILED')) return [];
  const statusOf = new Map(state.tasks.map(t => [t.id, t.status]));
  const isDone = (id: string) => ['COMPLETED', 'SKIPPED'].includes(statusOf.get(id) ?? '');
  return workflow.tasks.filter(t => statusOf.get(t.id) === 'PENDING' && t.dependsOn.every(isDone));
}

/** Marks a task as running, from a commit of the branch. */
export function beginTask(state: WorkflowState, id: string, startedFrom: string): WorkflowState {
  return change(state, id, t => ({
    ...t,
    status: 'RUNNING',
    attempts: t.attempts + 1,
    startedFrom,
  }));
}

/** Marks a task as pending again, when its run ended for reasons outside the task. */
export function pauseTask(
  state: WorkflowState,
  id: string,
  { run, code }: Pick<TaskEnd, 'run' | 'code'>,
): WorkflowState {
  return change(state, id, t => ({ ...t, status: 'PENDING', run, code }));
}

export function endTask(state: WorkflowState, id: string, end: TaskEnd): WorkflowState {
  return change(state, id, task => {
    const { proof, ledger, flagged, ...more } = end;
    return { ...task, ...more, proof, ledger, flagged: flagged && [...flagged] };
  });
}

export function withCommit(state: WorkflowState, id: string, commit: string): WorkflowState {
  const sequence = 1 + Math.max(0, ...state.tasks.map(t => t.sequence ?? 0));
  return change(state, id, t => ({ ...t, commit, sequence }));
}

export function isDone(state: WorkflowState): boolean {
  return state.tasks.every(t => t.status === 'COMPLETED' || t.status === 'SKIPPED');
}

/** Approves a task. @throws PhotonError `USAGE` when the task does not wait for a review. */
export function approveTask(state: WorkflowState, id: string): WorkflowState {
  if (state.tasks.find(t => t.id === id)?.status !== 'NEEDS_REVIEW')
    throw new PhotonError('USAGE', `${id} does not wait for a review.`);
  return change(state, id, t => ({ ...t, status: 'COMPLETED' }));
}

/** The last task, in the order of the workflow, whose run has ended; undefined before the first one. */
export function lastEnded(state: WorkflowState): string | undefined {
  return state.tasks.findLast(t => t.run !== undefined)?.id;
}

export function buildManifest(state: WorkflowState, workflow: Workflow): readonly ManifestTask[] {
  const statusOf = new Map(state.tasks.map(t => [t.id, t.status]));
  return workflow.tasks.map(({ id, outputs }) => ({
    id,
    outputs,
    status: statusOf.get(id) ?? 'PENDING',
  }));
}

function fresh(task: WorkflowTask): TaskState {
  return { id: task.id, status: 'PENDING', digest: hashTask(task), attempts: 0 };
}

function hashTask(task: WorkflowTask): string {
  return digest(JSON.stringify(task));
}

function mapTasks(state: WorkflowState, map: (task: TaskState, index: number) => TaskState) {
  return { ...state, tasks: state.tasks.map(map) };
}

function change(
  state: WorkflowState,
  id: string,
  map: (task: TaskState) => TaskState,
): WorkflowState {
  return mapTasks(state, t => (t.id === id ? map(t) : t));
}

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
