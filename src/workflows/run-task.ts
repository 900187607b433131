/** Runs one task of a workflow, judges its outcome, and commits its patch with the manifest. */
import { codes, PhotonError } from '../base/codes.ts';
import { type Outcome, ranPlainly } from '../base/outcome.ts';
import { joinDefined } from '../base/plural.ts';
import { pathClasses } from '../ecosystems/tests/path-classes.ts';
import type { RunInput, RunLog } from '../hosts/host.ts';
import { unjudged, unproven, withoutSandbox } from '../report/pull-request/workflow-pull.ts';
import { runPhoton } from '../run/run.ts';
import type { FinishedRun } from '../run/stages.ts';
import type { BranchCheckout } from '../workspace/commits/branch-tree.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { renderAlignment, renderBase, renderCommit } from './commit-text.ts';
import { change, type WorkflowExecution } from './execution.ts';
import { manifestChange, renderTable } from './manifest.ts';
import {
  beginTask,
  buildManifest,
  endTask,
  lastEnded,
  pauseTask,
  type TaskEnd,
  type WorkflowState,
  withCommit,
} from './state.ts';
import type { WorkflowTask } from './workflow-file.ts';

/**
 * Runs a task on the branch as it is now. Where another task's patch comes first, this one moves onto it and is
 * verified again; where they conflict, it is pending again.
 * @throws PhotonError `DISK`, `GIT`, `GITHUB_*`, `WORKFLOW_BUSY`, and the code of settings that let no run begin.
 */
export async function runTask(execution: WorkflowExecution, task: WorkflowTask): Promise<void> {
  const slot = execution.slots.shift();
  if (slot === undefined) throw new PhotonError('INTERNAL', 'more tasks than work trees');
  const held: { end?: () => void } = {};
  try {
    const from = await execution.home.branch.tip();
    await change(execution, s => beginTask(s, task.id, execution.home.idOf(from)));
    const { folder, commit } = await placeTask(execution, task, { slot, from });
    const crossing = { moved: false };
    let patch: readonly FileChange[] = [];
    const result = await runOnce(execution, task, {
      workspace: folder,
      patchReceiver: {
        newBase: async () => {
          held.end ??= await execution.turn();
          const { branch } = execution.home;
          const tip = await branch.tip();
          if (tip === from) return undefined;
          crossing.moved = true;
          const drift = await branch.changesSince(commit);
          return { commit: tip, tree: await branch.readTree(tip), drift };
        },
        take: changes => {
          patch = changes;
        },
      },
    });
    held.end ??= await execution.turn();
    await settle(execution, task, { result, patch, ...crossing });
  } finally {
    held.end?.();
    execution.slots.push(slot);
  }
}

/** The work tree of a task: the branch as it is, with a manifest that says that the task is running. */
async function placeTask(
  execution: WorkflowExecution,
  { id }: WorkflowTask,
  { slot, from }: { readonly slot: number; readonly from: string },
): Promise<BranchCheckout> {
  const { home, workflow, state, input } = execution;
  const written = await writtenManifest(execution, { state, after: lastEnded(state) ?? id, from });
  return home.branch.place(slot, {
    from,
    changes: written === undefined ? [] : [written],
    message: renderBase({ workflow: workflow.name, task: id }),
    now: input.now(),
  });
}

async function runOnce(
  execution: WorkflowExecution,
  task: WorkflowTask,
  own: Pick<RunInput, 'workspace' | 'patchReceiver'>,
): Promise<FinishedRun> {
  const { input, workflow, state } = execution;
  const results = await runPhoton({
    ...input,
    ...own,
    log: taskLog(input.log, {
      title: `${workflow.name}: ${task.id}`,
      alone: workflow.parallel === 1,
      id: task.id,
    }),
    inputs: { ...input.inputs, ...getVerifyInputs(task) },
    delivery: 'patch',
    recordsFolder: input.workspace,
    event: {
      ...input.event,
      taskInput: buildPrompt(task, state, execution.workflow),
      outputs: task.outputs.map(o => o.path),
      skills: task.skills === undefined ? input.event.skills : task.skills,
    },
  });
  const [result] = results;
  if (result === undefined) throw new PhotonError('INTERNAL', 'a task without a result');
  execution.ran(task, result);
  return result;
}

interface TaskRun {
  readonly result: FinishedRun;
  readonly patch: readonly FileChange[];
  /** True when the patch of another task was committed first. */
  readonly moved: boolean;
}

/** The error of a run that its settings kept from starting. This is no failure of the task; it stops the workflow. */
function inputError({ status, code, message }: Outcome): PhotonError | undefined {
  return status === 'failed' && codes[code].kind === 'input'
    ? new PhotonError(code, message)
    : undefined;
}

async function settle(
  execution: WorkflowExecution,
  task: WorkflowTask,
  { result, patch, moved }: TaskRun,
): Promise<void> {
  const { outcome } = result;
  const { end, missing, flagged } = judgeTask(task, outcome, await pathsWith(execution, patch));
  // a cancelled run says nothing about the task, so earlier results are kept
  if (end.status === 'FAILED' && execution.input.signal.aborted)
    return change(execution, s => pauseTask(s, task.id, end));
  const wrong = inputError(outcome);
  if (wrong !== undefined) {
    await change(execution, s => pauseTask(s, task.id, end));
    throw wrong;
  }
  if (end.status === 'FAILED' && moved && missing.length === 0) {
    execution.warn(`${task.id} conflicts with a parallel task (${outcome.code}); it runs again`);
    return change(execution, s => pauseTask(s, task.id, end));
  }
  for (const path of missing) execution.warn(`${task.id} did not produce ${path}`);
  for (const path of flagged)
    execution.warn(`${task.id} changes ${path}; approve the task to continue`);
  const kept = end.status === 'FAILED' ? [] : patch;
  await commitEnd(execution, task.id, { end, patch: kept, next: s => endTask(s, task.id, end) });
}

interface TaskCompletion {
  readonly end: TaskEnd;
  readonly patch: readonly FileChange[];
  readonly next: (state: WorkflowState) => WorkflowState;
}

/** Commits patch and manifest together, so that they always agree; no commit when neither changes. */
export async function commitEnd(
  execution: WorkflowExecution,
  id: string,
  ended: TaskCompletion,
): Promise<void> {
  const { workflow, home } = execution;
  const { end, patch, next } = ended;
  const written = await writtenManifest(execution, {
    state: next(execution.state),
    after: id,
    patch,
  });
  const changes =
    written === undefined ? patch : [...patch.filter(p => p.path !== written.path), written];
  if (changes.length === 0) return change(execution, next);
  const message = renderCommit({ workflow: workflow.name, task: id }, end);
  const holds = end.status !== 'FAILED' && patch.length > 0;
  const state = (commit: string) => {
    const after = next(execution.state);
    execution.state = holds ? withCommit(after, id, commit) : after;
    return execution.state;
  };
  await home.commit({ message, changes, state, task: holds ? id : '' });
  await execution.committed?.(execution.state);
}

/** Updates the manifest for changes without a run, such as removed or skipped tasks and edits by people. */
export async function alignManifest(execution: WorkflowExecution): Promise<void> {
  const { workflow, home, state } = execution;
  const after = lastEnded(state);
  const written =
    after === undefined ? undefined : await writtenManifest(execution, { state, after });
  if (written === undefined) return;
  const message = renderAlignment(workflow.name);
  await home.commit({ message, changes: [written], state: () => state, task: '' });
}

interface ManifestNow {
  readonly state: WorkflowState;
  readonly after: string;
  /** The patch of the same commit. */
  readonly patch?: readonly FileChange[];
  /** The commit whose file is updated; the tip by default. */
  readonly from?: string;
}

/** The manifest as a change of its file; undefined when it is up to date or cannot be written. */
async function writtenManifest(
  { home, workflow, input, warn }: WorkflowExecution,
  { state, after, patch = [], from }: ManifestNow,
): Promise<FileChange | undefined> {
  const tasks = buildManifest(state, workflow);
  const { change: written, warning } = await manifestChange({
    readOnly: home.readOnly,
    find: path => home.branch.find(path, from),
    patch,
    manifest: { tasks, after, now: input.now() },
  });
  if (warning !== undefined) warn(warning);
  return written;
}

async function pathsWith(execution: WorkflowExecution, patch: readonly FileChange[]) {
  const paths = new Set(await execution.home.branch.paths());
  for (const { path, after } of patch) {
    if (after === undefined) paths.delete(path);
    else paths.add(path);
  }
  return paths;
}

function getVerifyInputs({ verify }: WorkflowTask): RunInput['inputs'] {
  if (verify === '') return {};
  return verify === 'none' ? { verify: 'none' } : { 'test-command': verify };
}

/** The prompt of a task, its outputs, and the manifest table; the agent reads artifacts when needed. */
function buildPrompt(
  task: WorkflowTask,
  state: WorkflowState,
  workflow: WorkflowExecution['workflow'],
): string {
  const outputs = task.outputs.map(o => `- ${o.path}: ${o.description}`);
  return joinDefined([
    task.prompt,
    outputs.length > 0 ? ['', 'This task must produce:', ...outputs] : undefined,
    '',
    'Artifacts of the workflow:',
    '',
    ...renderTable(buildManifest(state, workflow)),
    '',
  ]);
}

interface TaskLogOptions {
  readonly id: string;
  readonly title: string;
  readonly alone: boolean;
}

/** Each task redacts its own secrets, because a parallel task replaces the redaction of the shared log. */
function taskLog(log: RunLog, { id, title, alone }: TaskLogOptions): RunLog {
  let redact = (text: string) => text;
  const hide: RunLog['hide'] = how => {
    redact = how;
    log.hide(how);
  };
  if (alone) log.group(title);
  else log.line(`${id}: started`);
  const line = (text: string) => log.line(redact(alone ? text : `${id}: ${text}`));
  const group = (text: string) => {
    if (alone) log.group(redact(text));
    else if (text !== '') line(text);
  };
  return { line, group, hide, mask: log.mask };
}

/** How a task ended, the outputs it did not produce, and the files of its patch that need human review. */
interface JudgedTask {
  readonly end: TaskEnd;
  readonly missing: readonly string[];
  readonly flagged: readonly string[];
}

type JudgedOutcome = Pick<
  Outcome,
  'status' | 'code' | 'runId' | 'patch' | 'verification' | 'ledger' | 'sandbox'
>;

/**
 * A task is done when its patch is verified, or when it needs no change or only an answer, and all outputs exist. Flagged
 * files wait for a person, because they could control the runs of later tasks.
 * @param paths of all files, with the patch applied.
 */
export function judgeTask(
  task: WorkflowTask,
  outcome: JudgedOutcome,
  paths: ReadonlySet<string>,
): JudgedTask {
  const { status, code, runId, patch } = outcome;
  const facts = { run: runId, proof: describeProof(outcome), ledger: outcome.ledger.head };
  const failTask = (why: string, missing: readonly string[] = []): JudgedTask => {
    return { end: { ...facts, status: 'FAILED', code: why }, missing, flagged: [] };
  };
  const done =
    status === 'written' ||
    (status === 'no_change' && code === 'PATCH_EMPTY') ||
    status === 'answered';
  if (!done) return failTask(code);
  const missing = task.outputs.map(o => o.path).filter(path => !outputExists(path, paths));
  if (missing.length > 0) return failTask('WORKFLOW_OUTPUT_MISSING', missing);
  const flagged = patch.files
    .filter(f => f.flag !== undefined || affectsLaterTasks(f.path, paths))
    .map(f => f.path);
  const doubted = (outcome.verification?.warnings ?? []).length > 0;
  const waits = task.review || flagged.length > 0 || doubted;
  const end = { ...facts, status: waits ? 'NEEDS_REVIEW' : 'COMPLETED', code } as const;
  return { end: flagged.length > 0 ? { ...end, flagged } : end, missing, flagged };
}

/** What proved a patch, as a short phrase, and whether it was made without a sandbox. */
function describeProof(outcome: JudgedOutcome): string {
  const proof = proofAlone(outcome);
  return ranPlainly(outcome) ? `${proof}${withoutSandbox}` : proof;
}

function proofAlone({ status, verification }: JudgedOutcome): string {
  if (status === 'no_change') return 'no change';
  if (status === 'answered') return 'answered';
  if (verification?.require === 'none' || verification === null) return unproven;
  if (verification.unjudged === true) return unjudged;
  if (!verification.passed) return 'failed';
  const isCompared = verification.require === 'no-regression' || verification.sameFailures;
  return isCompared ? 'no regression' : 'tests pass';
}

function outputExists(path: string, paths: ReadonlySet<string>): boolean {
  const folder = path.replace(/\/?$/, '/');
  if (!path.endsWith('/') && paths.has(path)) return true;
  for (const each of paths) if (each.startsWith(folder)) return true;
  return false;
}

/** Skills and test runner configuration: a single run does not flag them, but they affect later tasks. */
function affectsLaterTasks(path: string, paths: ReadonlySet<string>): boolean {
  if (pathClasses['@test-config'].some(p => p.test(path))) return true;
  const folders = path.split('/').slice(0, -1);
  const inSkill = folders.some((_, i) => {
    const folder = folders.slice(0, i + 1).join('/');
    return paths.has(`${folder}/SKILL.md`) || paths.has(`${folder}/skill.md`);
  });
  return inSkill || /(^|\/)SKILL\.md$/i.test(path);
}
