/** Runs the tasks of a workflow in order; after each: commit, manifest, state (SPEC §9). */
import type { RunInput } from '../agent/run-input.ts';
import { PhotonError } from '../codes.ts';
import { type RunResult, runPhoton } from '../run.ts';
import {
  type BranchTree,
  branchTreePlace,
  hasBranch,
  openBranchTree,
} from '../session/branch-tree.ts';
import type { FileChange } from '../session/change.ts';
import { renderDiff } from '../session/diff.ts';
import { readStoredSession } from '../session/store.ts';
import { openWorkflowStore } from '../session/workflow-store.ts';
import { parseCommit, renderCommit } from './commit-text.ts';
import { judgeTask } from './judge-task.ts';
import { manifestChange } from './keep-manifest.ts';
import { renderTable } from './manifest-table.ts';
import {
  approveTask,
  beginTask,
  cancelTask,
  endTask,
  manifestOf,
  nextTask,
  parseState,
  reconcile,
  renderState,
  resume,
  startFrom,
  startState,
  type TaskEnd,
  type WorkflowState,
} from './state.ts';
import type { Workflow, WorkflowTask } from './workflow-file.ts';

/** What a workflow runs in. */
export interface WorkflowOptions {
  readonly workflow: Workflow;
  /** As for one run at the terminal; `workspace` is the user's checkout. */
  readonly input: Omit<RunInput, 'event' | 'delivery'>;
  /** Task to start at; an empty string where the state says. */
  readonly from: string;
  /** Told how each run ended. */
  readonly ran: (task: WorkflowTask, result: RunResult) => void;
}

/** The room of one workflow at work. */
interface Room extends WorkflowOptions {
  readonly tree: BranchTree;
  readonly save: (state: WorkflowState) => void;
  readonly warn: (text: string) => void;
}

/**
 * Runs what is to be run, one task after the other, and stops behind a failure.
 * @returns the state as it was saved last.
 * @throws PhotonError `WORKFLOW_BUSY`, `WORKFLOW_BRANCH`, `WORKFLOW_STATE_INVALID`, `USAGE`, `DISK`, `GIT`.
 */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowState> {
  return inRoom(options, async (room, found) => {
    const { workflow, from } = options;
    let state = resume(await adoptReview(room, await adopt(room, found)));
    if (from !== '') state = startFrom(state, workflow, from);
    room.save(state);
    for (let task = nextTask(state, workflow); task !== null; task = nextTask(state, workflow)) {
      if (options.input.signal.aborted) break;
      state = beginTask(state, task.id, (await room.tree.tip()).commit);
      room.save(state);
      state = await runTask(room, state, task);
      room.save(state);
    }
    return state;
  });
}

/**
 * Approves a task that waits for a person; the manifest says so in a commit of its own.
 * @throws PhotonError `USAGE`, and those of `runWorkflow`.
 */
export async function approveInWorkflow(
  options: WorkflowOptions,
  id: string,
): Promise<WorkflowState> {
  return inRoom(options, async (room, found) => {
    const before = await adopt(room, found);
    const state = approveTask(before, id);
    const { run = '', code = '' } = state.tasks.find(t => t.id === id) ?? {};
    await commitTask(room, { id, state, end: { status: 'COMPLETED', run, code }, patch: [] });
    room.save(state);
    return state;
  });
}

/** The state as it was saved, for the workflow as it reads now. Throws PhotonError `WORKFLOW_STATE_INVALID`. */
export function readWorkflowState(checkout: string, workflow: Workflow): WorkflowState | null {
  const store = openWorkflowStore(checkout, workflow.name);
  const text = store.read();
  return text === null ? null : reconcile(parseState(text, store.path), workflow);
}

async function inRoom(
  options: WorkflowOptions,
  work: (room: Room, found: WorkflowState) => Promise<WorkflowState>,
): Promise<WorkflowState> {
  const { workflow, input } = options;
  const { name } = workflow;
  const store = openWorkflowStore(input.workspace, name);
  const free = store.lock();
  try {
    const place = { cwd: input.workspace, searchPath: input.env.PATH ?? '' };
    const saved = readWorkflowState(input.workspace, workflow);
    const fresh = startState(workflow);
    const there = await hasBranch(place, fresh.branch);
    if (there && saved === null)
      throw new PhotonError(
        'WORKFLOW_BRANCH',
        `${fresh.branch} is there already, but no state in ${store.path}.`,
      );
    const warn = (text: string) => input.log.line(`warning: ${text}`);
    if (!there && saved?.tasks.some(t => t.attempts > 0))
      warn(`${fresh.branch} is gone; the workflow starts anew`);
    const state = there && saved !== null ? saved : fresh;
    const save = (s: WorkflowState) => store.save(renderState(s));
    // before the branch is made, so that a kill leaves no branch that nobody knows of
    save(state);
    const folder = branchTreePlace(input.tempRoot, name);
    const tree = await openBranchTree(place, { branch: fresh.branch, folder });
    try {
      return await work({ ...options, tree, save, warn }, state);
    } finally {
      await tree.close();
    }
  } finally {
    free();
  }
}

/** A run that was cut off behind its commit and before the state was saved is not run again. */
async function adopt({ tree, workflow }: Room, state: WorkflowState): Promise<WorkflowState> {
  const cut = state.tasks.find(t => t.status === 'RUNNING');
  if (cut === undefined) return state;
  const tip = await tree.tip();
  const end = parseCommit(tip.message, { workflow: workflow.name, task: cut.id });
  if (end === null || tip.parents[0] !== cut.startedFrom) return state;
  return endTask(state, cut.id, { ...end, commit: tip.commit });
}

/** An approval that was cut off behind its commit and before the state was saved stands. */
async function adoptReview({ tree, workflow }: Room, state: WorkflowState): Promise<WorkflowState> {
  const { message } = await tree.tip();
  const approved = state.tasks.find(t => {
    const end = parseCommit(message, { workflow: workflow.name, task: t.id });
    // an older commit of the task is one of another run
    return t.status === 'NEEDS_REVIEW' && end?.status === 'COMPLETED' && end.run === t.run;
  });
  return approved === undefined ? state : approveTask(state, approved.id);
}

async function runTask(
  room: Room,
  state: WorkflowState,
  task: WorkflowTask,
): Promise<WorkflowState> {
  const { input, tree, workflow } = room;
  input.log.group(`${workflow.name}: ${task.id}`);
  const results = await runPhoton({
    ...input,
    workspace: tree.folder,
    inputs: { ...input.inputs, ...proofOf(task) },
    delivery: 'patch',
    event: {
      name: 'local',
      payload: null,
      taskInput: promptOf(task, state, workflow),
      ...(task.skills === undefined ? {} : { skills: task.skills }),
    },
  });
  const result = results[0];
  if (result === undefined) throw new PhotonError('INTERNAL', 'a task without a result');
  room.ran(task, result);
  const patch = patchOf(result);
  const { end, missing, flagged } = judgeTask(task, result.outcome, await pathsWith(tree, patch));
  // a person stopped it, so that nothing is known of the task
  if (end.status === 'FAILED' && input.signal.aborted) return cancelTask(state, task.id, end);
  for (const path of missing) room.warn(`${task.id} did not make ${path}`);
  for (const path of flagged) room.warn(`${task.id} changes ${path}; approve it to go on`);
  const next = endTask(state, task.id, end);
  const kept = end.status === 'FAILED' ? [] : patch;
  const commit = await commitTask(room, { id: task.id, state: next, end, patch: kept });
  if (commit === null || end.status === 'FAILED') return next;
  return endTask(state, task.id, { ...end, commit });
}

interface Done {
  readonly id: string;
  readonly state: WorkflowState;
  readonly end: TaskEnd;
  readonly patch: readonly FileChange[];
}

/** Patch and manifest as one commit, so that they agree at any instant; null when neither changes. */
async function commitTask(room: Room, { id, state, end, patch }: Done): Promise<string | null> {
  const { workflow, tree, input } = room;
  const tasks = manifestOf(state, workflow);
  const { change, warning } = manifestChange({
    checkout: input.workspace,
    tree: tree.folder,
    manifest: { tasks, after: id, now: input.now() },
    patch,
  });
  if (warning !== null) room.warn(warning);
  const changes = change === null ? patch : [...patch.filter(p => p.path !== change.path), change];
  if (changes.length === 0) return null;
  const message = renderCommit({ workflow: workflow.name, task: id }, end);
  return tree.commit(message, changes, input.now());
}

/** The verified patch, from the session of the run; it is the one that was shown. */
function patchOf({ outcome, diff, files }: RunResult): readonly FileChange[] {
  if (outcome.status !== 'committed') return [];
  const { changes } = readStoredSession(files.sessionPath);
  if (renderDiff(changes) !== diff)
    throw new PhotonError('INTERNAL', 'the session holds another patch than the one verified');
  return changes;
}

async function pathsWith(
  tree: BranchTree,
  patch: readonly FileChange[],
): Promise<ReadonlySet<string>> {
  const paths = new Set(await tree.paths());
  for (const { path, after } of patch) {
    if (after === null) paths.delete(path);
    else paths.add(path);
  }
  return paths;
}

/** Inputs that `verify` of a task stands for. */
function proofOf({ verify }: WorkflowTask): RunInput['inputs'] {
  if (verify === '') return {};
  return verify === 'none' ? { verify: 'none' } : { 'test-command': verify };
}

/** The prompt, then the manifest as its table and nothing else: artifacts are read when needed. */
function promptOf(task: WorkflowTask, state: WorkflowState, workflow: Workflow): string {
  const outputs = task.outputs.map(o => `- ${o.path}: ${o.description}`);
  return [
    task.prompt,
    ...(outputs.length > 0 ? ['', 'This task must make:', ...outputs] : []),
    '',
    'Artifacts of the workflow:',
    '',
    ...renderTable(manifestOf(state, workflow)),
    '',
  ].join('\n');
}

/** Exit status of the process: a failed task counts, and one that a cancelled start did not come to. */
export function workflowStatus(state: WorkflowState, cancelled = false): 0 | 1 {
  const bad = ['FAILED', 'RUNNING', ...(cancelled ? ['PENDING'] : [])];
  return state.tasks.some(t => bad.includes(t.status)) ? 1 : 0;
}
