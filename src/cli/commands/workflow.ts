/** `photon workflow`: runs tasks in dependency order on a branch of a local repository. */
import { PhotonError } from '../../base/codes.ts';
import { exportTelemetry } from '../../export-telemetry.ts';
import { findTop } from '../../process/programs.ts';
import { renderRun } from '../../report/terminal/run-text.ts';
import { renderWorkflow } from '../../report/terminal/workflow-text.ts';
import type { FinishedRun } from '../../run/stages.ts';
import {
  applyCommits,
  approveInWorkflow,
  findWaits,
  inLocalHome,
  listWorkflows,
  readWorkflow,
  readWorkflowState,
  runWorkflow,
  startState,
  type Workflow,
  type WorkflowOptions,
  type WorkflowState,
  workflowFolder,
  workflowStatus,
} from '../../workflows/index.ts';
import { withOutFolder } from '../../workspace/files/run-folder.ts';
import { resolveCheckout } from '../checkout.ts';
import { type Arguments, command, flag, resolveOut, shared, value } from '../command.ts';
import { keepAndPlace } from '../kept-runs.ts';
import { localInput } from '../local-run.ts';
import { openProgress, type Progress } from '../progress.ts';
import { tellSettingsSource } from '../settings-source.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  from: value('<task>', 'Start at this task, and run again everything that depends on it'),
  apply: flag('Also write each patch and the manifest into the work tree, after each task'),
  quiet: shared.quiet,
  verbose: shared.verbose,
  out: shared.out,
  'config-from': shared.configFrom,
};

export const workflow = command({
  options,
  settings: input => !input.perTask,
  usage: [
    [
      'run <name> [flags]',
      'Run .photon/workflows/<name>.yml, or continue it',
      inCheckout(withRuns(run)),
    ],
    ['status <name>', 'Show progress. The exit status is 1 after a failure.', inCheckout(status)],
    [
      'approve <name> <task>',
      'Approve a task that waits for a review',
      inCheckout(withRuns(approve)),
    ],
    ['validate [<name>]', 'Check one workflow file, or all of them', inCheckout(validate)],
  ],
  examples: ['photon workflow run upgrade', 'photon workflow run upgrade --from tests'],
});

interface WorkflowRequest extends Arguments<typeof options> {
  readonly repo: string;
  readonly terminal: Terminal;
}

function inCheckout(work: (request: WorkflowRequest) => Promise<number>) {
  return async (given: Arguments<typeof options>, terminal: Terminal) =>
    work({ ...given, repo: await resolveCheckout(given.values, terminal), terminal });
}

function withRuns(work: (request: WorkflowRequest, tempRoot: string) => Promise<number>) {
  return (request: WorkflowRequest) =>
    withOutFolder(resolveOut(request.values), tempRoot => work(request, tempRoot));
}

async function run(request: WorkflowRequest, tempRoot: string): Promise<number> {
  const { repo, names, values, inputs, terminal } = request;
  // a workflow that does not exist is said first
  readWorkflow(repo, names[0] ?? '');
  const settingsFiles = await tellSettingsSource({ repo, values, given: inputs, terminal });
  const progress = openProgress(terminal, {
    quiet: values.quiet ?? false,
    verbose: values.verbose,
  });
  const results: FinishedRun[] = [];
  const plain = buildOptions({ ...request, tempRoot }, progress, results);
  const options = { ...plain, input: { ...plain.input, settingsFiles } };
  const state = await inLocalHome(options, async home => {
    const committed = values.apply ? await applyCommits(home, options) : undefined;
    return runWorkflow(home, { ...options, committed });
  }).finally(() => progress.close());
  const cancelled = options.input.signal.aborted;
  await exportTelemetry(results, {
    env: terminal.env,
    log: progress,
    workflow: options.workflow.name,
  });
  return report(request, { workflow: options.workflow, state, cancelled });
}

async function approve(request: WorkflowRequest, tempRoot: string): Promise<number> {
  const progress = openProgress(request.terminal, { quiet: true });
  const options = buildOptions({ ...request, tempRoot }, progress);
  const ids = [request.names[1] ?? ''];
  const state = await inLocalHome(options, home => approveInWorkflow(home, options, ids)).finally(
    () => progress.close(),
  );
  return report(request, { workflow: options.workflow, state });
}

async function status(request: WorkflowRequest): Promise<number> {
  const { repo, names } = request;
  const found = readWorkflow(repo, names[0] ?? '');
  const state = readWorkflowState(repo, found) ?? startState(found);
  return report(request, { workflow: found, state });
}

async function validate({ repo, names, terminal }: WorkflowRequest): Promise<number> {
  const found = names.length > 0 ? names : listWorkflows(repo);
  if (found.length === 0)
    throw new PhotonError('WORKFLOW_MISSING', `There are no workflows in ${workflowFolder}.`);
  for (const name of found) {
    const { tasks } = readWorkflow(repo, name);
    terminal.print(`${name}: ${tasks.map(t => t.id).join(' ► ')}\n`);
  }
  return 0;
}

interface WorkflowEnd {
  readonly workflow: Workflow;
  readonly state: WorkflowState;
  readonly cancelled?: boolean;
}

function report({ terminal }: WorkflowRequest, { workflow, state, cancelled }: WorkflowEnd) {
  const waits = findWaits(state, workflow);
  const tasks = state.tasks.map(t => ({ ...t, wait: waits.get(t.id) }));
  terminal.print(renderWorkflow({ ...state, tasks }));
  return workflowStatus(state, cancelled);
}

/** @param results gets each run when it has ended. */
function buildOptions(
  request: WorkflowRequest & { readonly tempRoot: string },
  log: Progress,
  results: FinishedRun[] = [],
): WorkflowOptions {
  const { repo, names, values, inputs, terminal, tempRoot } = request;
  const top = findTop(repo);
  return {
    workflow: readWorkflow(repo, names[0] ?? ''),
    from: values.from ?? '',
    input: {
      ...localInput(terminal, repo),
      log,
      event: { name: 'local', payload: null, taskInput: '' },
      inputs,
      tempRoot,
    },
    ran: (task, result) => {
      const { outcome, files, place } = keepAndPlace(result, top, values.out);
      results.push({ ...result, files });
      terminal.tell(`${task.id}: ${renderRun(outcome, place)}`);
    },
  };
}
