/** `photon workflow`: runs tasks in dependency order on a branch of a local repository. */
import { resolve } from 'node:path';
import type { FinishedRun } from '../agent/run/stages.ts';
import { PhotonError } from '../codes.ts';
import { exportTelemetry } from '../export-telemetry.ts';
import { findTop } from '../process/programs.ts';
import { renderRun } from '../report/run-text.ts';
import { renderWorkflow } from '../report/workflow-text.ts';
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
} from '../workflows/index.ts';
import { withOutFolder } from '../workspace/files/run-folder.ts';
import { type Arguments, noSuchVerb, parseArguments } from './arguments.ts';
import { checkoutOf } from './checkout.ts';
import { keepAndPlace } from './kept-runs.ts';
import { inputOptions, localInput, readInputs } from './local-run.ts';
import { openProgress, type Progress } from './progress.ts';
import { settingsOption, tellSettingsSource } from './settings-source.ts';
import type { CommandHandler, Terminal } from './terminal.ts';

const runOptions = inputOptions(input => !input.perTask);

interface WorkflowRequest {
  readonly repo: string;
  /** Arguments after the verb. */
  readonly args: readonly string[];
  readonly values: Arguments['values'];
  readonly terminal: Terminal;
}

const verbs: Readonly<Record<string, (request: WorkflowRequest) => Promise<number>>> = {
  run: withRuns(run),
  status,
  approve: withRuns(approve),
  validate,
};

const usage = 'Use photon workflow run, status or validate NAME, or approve NAME TASK.';

export const workflow: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'out', 'from', settingsOption, ...runOptions.names],
    ['apply', 'quiet', ...runOptions.flags],
  );
  const [verb = '', ...rest] = positionals;
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const wanted = verb === 'approve' ? 2 : 1;
  const fits = rest.length === wanted || (verb === 'validate' && rest.length === 0);
  if (work === undefined || !fits) throw noSuchVerb(verb, Object.keys(verbs), usage);
  return work({ repo: await checkoutOf(values, terminal), args: rest, values, terminal });
};

/** Gives the verb a folder for the runs of the tasks. */
function withRuns(work: (request: WorkflowRequest, tempRoot: string) => Promise<number>) {
  return (request: WorkflowRequest) => {
    const { out } = request.values;
    return withOutFolder(out === undefined ? null : resolve(String(out)), tempRoot =>
      work(request, tempRoot),
    );
  };
}

async function run(request: WorkflowRequest, tempRoot: string): Promise<number> {
  const { repo, args, values, terminal } = request;
  // a workflow that does not exist is said first
  readWorkflow(repo, args[0] ?? '');
  const given = readInputs(runOptions, values, terminal);
  const settingsFiles = await tellSettingsSource({ repo, values, given, terminal });
  const progress = openProgress(request.terminal, { quiet: request.values.quiet === true });
  const results: FinishedRun[] = [];
  const plain = optionsOf({ ...request, tempRoot }, progress, results);
  const options = { ...plain, input: { ...plain.input, settingsFiles } };
  const state = await inLocalHome(options, async home => {
    const committed = request.values.apply === true ? await applyCommits(home, options) : undefined;
    return runWorkflow(home, { ...options, committed });
  }).finally(() => progress.close());
  const cancelled = options.input.signal.aborted;
  const { env } = request.terminal;
  await exportTelemetry(results, { env, log: progress, workflow: options.workflow.name });
  return report(request, { workflow: options.workflow, state, cancelled });
}

async function approve(request: WorkflowRequest, tempRoot: string): Promise<number> {
  const progress = openProgress(request.terminal, { quiet: true });
  const options = optionsOf({ ...request, tempRoot }, progress);
  const ids = [request.args[1] ?? ''];
  const state = await inLocalHome(options, home => approveInWorkflow(home, options, ids)).finally(
    () => progress.close(),
  );
  return report(request, { workflow: options.workflow, state });
}

async function status(request: WorkflowRequest): Promise<number> {
  const { repo, args } = request;
  const found = readWorkflow(repo, args[0] ?? '');
  const state = readWorkflowState(repo, found) ?? startState(found);
  return report(request, { workflow: found, state });
}

async function validate({ repo, args, terminal }: WorkflowRequest): Promise<number> {
  const found = args.length > 0 ? args : listWorkflows(repo);
  if (found.length === 0)
    throw new PhotonError('WORKFLOW_MISSING', `There are no workflows in ${workflowFolder}.`);
  for (const name of found) {
    const { tasks } = readWorkflow(repo, name);
    terminal.print(`${name}: ${tasks.map(t => t.id).join(' ► ')}\n`);
  }
  return 0;
}

interface Ended {
  readonly workflow: Workflow;
  readonly state: WorkflowState;
  readonly cancelled?: boolean;
}

function report({ terminal }: WorkflowRequest, { workflow, state, cancelled }: Ended): number {
  const waits = findWaits(state, workflow);
  const tasks = state.tasks.map(t => ({ ...t, wait: waits.get(t.id) }));
  terminal.print(renderWorkflow({ ...state, tasks }));
  return workflowStatus(state, cancelled);
}

/** @param results gets each run when it has ended. */
function optionsOf(
  { repo, args, values, terminal, tempRoot }: WorkflowRequest & { readonly tempRoot: string },
  log: Progress,
  results: FinishedRun[] = [],
): WorkflowOptions {
  const checkout = values.out === undefined ? findTop(repo) : null;
  return {
    workflow: readWorkflow(repo, args[0] ?? ''),
    from: String(values.from ?? ''),
    input: {
      ...localInput(terminal, repo),
      log,
      event: { name: 'local', payload: null, taskInput: '' },
      inputs: readInputs(runOptions, values, terminal),
      tempRoot,
    },
    ran: (task, result) => {
      const { files, place, note } = keepAndPlace(result, checkout);
      results.push({ ...result, files });
      const { outcome } = result;
      const notes = note === null ? outcome.notes : [...outcome.notes, note];
      terminal.tell(`${task.id}: ${renderRun({ ...outcome, notes }, place)}`);
    },
  };
}
