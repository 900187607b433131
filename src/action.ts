/** The Action: reads inputs and event from the runner, and writes log, outputs, summary and exit status. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codes, PhotonError } from './base/codes.ts';
import {
  type Ending,
  exitStatus,
  getSeverity,
  isFailure,
  isSuccess,
  type Outcome,
} from './base/outcome.ts';
import { parseJson } from './base/schema-issue.ts';
import { attempt } from './base/system-errors.ts';
import { exportTelemetry } from './export-telemetry.ts';
import { gitHubHost } from './hosts/github/github-host.ts';
import type { RunInput, RunLog } from './hosts/host.ts';
import type { LastText } from './process/end-busy.ts';
import { openNetwork } from './process/network.ts';
import { findPrograms, findTop } from './process/programs.ts';
import { systemName } from './process/system.ts';
import { renderComment, renderProgress } from './report/comment/comment.ts';
import { dashboardText } from './report/comment/dashboard.ts';
import { reviewText } from './report/comment/review.ts';
import { renderGathering, renderSummary } from './report/comment/summary.ts';
import { inertLog } from './report/escape.ts';
import { deliveryText } from './report/pull-request/delivery-text.ts';
import { renderWorkflowSummary } from './report/pull-request/workflow-pull.ts';
import { runPhoton } from './run/run.ts';
import type { FinishedRun } from './run/stages.ts';
import { explainMissingInput } from './settings/missing-input.ts';
import type { OutputName } from './settings/output.ts';
import { type ActionInputName, actionInputs, type InputRecord } from './settings/settings.ts';
import { gatherFleet, planFleet, runWorkflowOnGitHub } from './workflows/github/index.ts';

/** What the runner gives the Action. */
interface ActionStart extends Pick<RunInput, 'root' | 'signal'> {
  /** The environment of the runner. `@actions/core` reads the same one from the process. */
  readonly env: NodeJS.ProcessEnv;
}

/** Runs the Action and returns the exit status of the step. It never throws. */
export async function runAction(start: ActionStart): Promise<0 | 1> {
  try {
    return await act(start);
  } catch (error) {
    return reportError(error);
  }
}

async function act({ env, root, signal }: ActionStart): Promise<0 | 1> {
  const log = openLog();
  for (const note of openNetwork(env)) log.line(note);
  const given = readInputs(env);
  // no input of the Action; the runner passes what a workflow writes all the same
  if (env['INPUT_CONFIG-FROM']) throw new PhotonError('CONFIG_FROM_JOB');
  const input = buildInput(env, { given, log, root, signal });
  if (given.workflow?.trim()) return runWorkflow(input);
  const mode = given.mode?.trim() || 'run';
  if (mode !== 'run' && mode !== 'review') return runFleet(mode, input);
  const results = await runPhoton(input);
  log.group('');
  await exportTelemetry(results, { env, log });
  return report(results, input);
}

/** Runs a workflow, and reports its state, its pull requests and its worst run. */
async function runWorkflow(input: RunInput): Promise<0 | 1> {
  const done = await runWorkflowOnGitHub(input);
  input.log.group('');
  const core = await import('@actions/core');
  await exportTelemetry(done.results, { ...input, workflow: done.workflow });
  await report(done.results, input);
  const [pull] = done.pulls;
  const { status, code, message, commit } = done;
  writeOutputs(core, {
    status,
    code,
    message,
    commit,
    branch: pull?.branch ?? '',
    'pull-request-number': pull?.number.toString() ?? '',
    'pull-request-url': pull?.url ?? '',
  });
  annotate({ ...done, phase: 'COMMIT', hint: codes[code].hint, delivered: {} }, core);
  for (const note of done.notes) core.warning(inertLog(note));
  for (const { url } of done.pulls) core.info(`Pull request: ${inertLog(url)}`);
  const text = renderWorkflowSummary(done.workflow, done.tasks);
  writeSummary(input.env, text);
  return status === 'failed' ? 1 : 0;
}

/** Plans a fleet (its rows for the matrix), or gathers what its rows ended with. */
async function runFleet(mode: string, input: RunInput): Promise<0 | 1> {
  const core = await import('@actions/core');
  if (mode === 'plan') {
    const rows = await planFleet(input);
    writeOutputs(core, { matrix: rows.length === 0 ? '' : JSON.stringify({ include: rows }) });
    for (const row of rows) core.info(inertLog(`${row.id}: ${row.repository} ${row.package}`));
    return 0;
  }
  if (mode !== 'gather')
    throw new PhotonError(
      'SETTING_INVALID',
      `mode: "${mode}" is not one of run, review, plan, gather.`,
    );
  const { rows, unreadable } = await gatherFleet(input);
  const [worst] = rows.toSorted((a, b) => getSeverity(b.status) - getSeverity(a.status));
  const { status = 'failed', code = 'OUTCOMES_MISSING' } = worst ?? {};
  writeOutputs(core, { status, code });
  const text = renderGathering(rows, unreadable);
  core.info(inertLog(text));
  writeSummary(input.env, text);
  return unreadable > 0 ? 1 : 0;
}

type Core = typeof import('@actions/core');
type Outputs = Readonly<Partial<Record<OutputName, string>>>;

/** Writes outputs of the step; what was written before under the same name is replaced. */
function writeOutputs(core: Core, outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
}

/** Adds to the summary of the step, if it has one. */
function writeSummary(env: RunInput['env'], text: string): void {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, text);
}

/** The inputs that the runner passes. @throws PhotonError `SETTING_INVALID` for an unknown setting. */
function readInputs(env: NodeJS.ProcessEnv): InputRecord {
  const given = Object.entries(env).flatMap(([name, value]) => {
    const [, input] = /^INPUT_(.+)$/.exec(name) ?? [];
    return input === undefined || !value ? [] : [[input.toLowerCase(), value] as const];
  });
  const problems = given.flatMap(([name]) => explainMissingInput(name) ?? []);
  if (problems.length > 0) throw new PhotonError('SETTING_INVALID', problems.join(' '));
  const read = Object.fromEntries(given);
  return Object.fromEntries(Object.keys(actionInputs).map(name => [name, read[name] ?? '']));
}

interface InputParts extends Omit<ActionStart, 'env'> {
  readonly given: InputRecord;
  readonly log: RunLog;
}

/** The texts that a run posts on GitHub. */
const texts = {
  delivery: deliveryText,
  review: reviewText,
  dashboard: dashboardText,
  progress: renderProgress,
  comment: renderComment,
};

function buildInput(env: NodeJS.ProcessEnv, { given, log, root, signal }: InputParts): RunInput {
  const workspace = env.GITHUB_WORKSPACE || process.cwd();
  const outside = [findTop(workspace), env.RUNNER_TEMP || []].flat();
  return {
    inputs: given,
    event: {
      name: env.GITHUB_EVENT_NAME ?? '',
      payload: readPayload(env.GITHUB_EVENT_PATH),
      taskInput: given.task ?? '',
    },
    host: gitHubHost(texts),
    repository: env.GITHUB_REPOSITORY ?? '',
    page: makePageUrl(env),
    apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
    ref: env.GITHUB_REF ?? '',
    sha: env.GITHUB_SHA ?? '',
    actor: env.GITHUB_ACTOR ?? '',
    workspace,
    tempRoot: env.RUNNER_TEMP || env.TMPDIR || '/tmp',
    root,
    env,
    programs: findPrograms(env.PATH ?? '', outside),
    hosted: env.RUNNER_ENVIRONMENT === 'github-hosted' && systemName === 'linux',
    hidePaths:
      env.RUNNER_TEMP === undefined
        ? []
        : [env.RUNNER_TEMP, join(env.RUNNER_TEMP, '..', '_actions')],
    delivery: 'github',
    mutationSpacingMs: Number(env.PHOTON_MUTATION_SPACING_MS ?? 1000),
    signal,
    now: Date.now,
    log,
    lastTexts: (ending, outcomePath) => listLastTexts(env, { ...ending, outcomePath }),
  };
}

/** The outputs, the annotation and the summary of a run, as the runner reads them of its files and of this process. */
function listLastTexts(
  env: RunInput['env'],
  { status, code, message, outcomePath }: Ending & { readonly outcomePath: string },
): readonly LastText[] {
  const outputs = Object.entries({ status, code, message, 'outcome-path': outcomePath })
    .map(([name, value]) => `${name}<<PHOTON\n${value}\nPHOTON\n`)
    .join('');
  const { GITHUB_OUTPUT = '', GITHUB_STEP_SUMMARY = '' } = env;
  return [
    { to: 1, text: `::error title=Photon%3A ${code}::${message}\n` },
    { to: GITHUB_OUTPUT, text: outputs },
    { to: GITHUB_STEP_SUMMARY, text: `**Photon:** ${status} (\`${code}\`). ${message}\n` },
  ].filter(({ to }) => to !== '');
}

/** Address of the workflow run, as the runner's variables say it; empty if they do not. */
function makePageUrl(env: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL: server = '', GITHUB_REPOSITORY: name, GITHUB_RUN_ID: id = '' } = env;
  const isPlain = /^https?:\/\/[\w.:-]+$/.test(server) && /^\d{1,20}$/.test(id) && name;
  return isPlain ? `${server}/${name}/actions/runs/${id}` : '';
}

/** The payload of the event; null if there is no readable one. */
function readPayload(path: string | undefined): unknown {
  return path === undefined ? null : parseJson(attempt(() => readFileSync(path, 'utf8')) ?? '');
}

/** A log of inert lines in groups. The only commands to the runner in it are Photon's own. */
function openLog(): RunLog {
  let redact = (text: string) => text;
  let open = false;
  return {
    mask: secret => {
      const data = secret.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
      process.stdout.write(`::add-mask::${data}\n`);
    },
    hide: how => {
      redact = how;
    },
    line: text => {
      process.stdout.write(`${inertLog(redact(text))}\n`);
    },
    group: title => {
      if (open) process.stdout.write('::endgroup::\n');
      open = title !== '';
      if (open) process.stdout.write(`::group::${inertLog(title)}\n`);
    },
  };
}

/** Writes outputs, annotations and summary from the outcomes, and returns the exit status. */
async function report(
  results: readonly FinishedRun[],
  { inputs: given, env }: RunInput,
): Promise<0 | 1> {
  const core = await import('@actions/core');
  for (const [name, about] of Object.entries(actionInputs))
    if (about.secret === true && given[name as ActionInputName])
      core.setSecret(given[name as ActionInputName] ?? '');
  for (const { outcome, files } of results) {
    annotate(outcome, core);
    if (outcome.delivered.kind === 'patch') core.info(`Patch: ${inertLog(files.patchPath)}`);
  }
  const failOnAbstain = given['fail-on-abstain']?.trim() === 'true';
  const status = results.some(r => exitStatus(r.outcome.status, failOnAbstain) === 1) ? 1 : 0;
  const [worst] = results.toSorted(
    (a, b) => getSeverity(b.outcome.status) - getSeverity(a.outcome.status),
  );
  if (worst === undefined) return 0;
  writeOrWarn('The outputs', core, () => writeOutputs(core, buildOutputs(worst)));
  writeOrWarn('The summary', core, () => writeSummary(env, renderSummary(results)));
  return status;
}

/** Writes a part of the report. The runs have ended: a failure is a warning, and changes nothing about them. */
function writeOrWarn(what: string, core: Core, write: () => void): void {
  try {
    write();
  } catch (error) {
    core.warning(inertLog(`${what} could not be written: ${(error as Error).message}`));
  }
}

type ReportedEnding = Pick<Outcome, 'status' | 'code' | 'phase' | 'message' | 'hint'> & {
  readonly delivered: Partial<Outcome['delivered']>;
};

function annotate(outcome: ReportedEnding, core: Core): void {
  const line = inertLog(
    `${outcome.status} ${outcome.code} in phase ${outcome.phase}: ${outcome.message}`,
  );
  const next = renderHint(outcome.hint);
  if (isFailure(outcome.status)) core.error(`${line}${next}`, { title: `Photon: ${outcome.code}` });
  else if (isSuccess(outcome.status)) core.info(line);
  else core.warning(`${line}${next}`, { title: `Photon: ${outcome.code}` });
  if (outcome.delivered.pullRequestUrl !== undefined)
    core.info(`Pull request: ${inertLog(outcome.delivered.pullRequestUrl)}`);
  if (outcome.delivered.compareUrl !== undefined)
    core.info(`Open a pull request: ${inertLog(outcome.delivered.compareUrl)}`);
}

const renderHint = (hint: string) => (hint === '' ? '' : ` What to do: ${inertLog(hint)}`);

const keepExisting = (path: string) => (existsSync(path) ? path : '');

function buildOutputs({
  outcome,
  files,
  commentUrl,
}: FinishedRun): Required<Omit<Outputs, 'matrix'>> {
  const { delivered } = outcome;
  return {
    status: outcome.status,
    code: outcome.code,
    message: outcome.message,
    'pull-request-number': delivered.pullRequestNumber?.toString() ?? '',
    'pull-request-url': delivered.pullRequestUrl ?? '',
    'comment-url': commentUrl ?? '',
    branch: delivered.branch ?? '',
    commit: delivered.commit ?? '',
    cost: outcome.usage.cost?.toFixed(4) ?? '',
    answer: outcome.answer ?? '',
    report: writeJson(outcome.report ?? outcome.review?.report),
    review: writeJson(outcome.review),
    'patch-path': keepExisting(files.patchPath),
    'outcome-path': keepExisting(files.outcomePath),
    'report-path': keepExisting(files.pagePath),
  };
}

const writeJson = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));

/** Reports an error that left no outcome file. */
async function reportError(error: unknown): Promise<1> {
  const core = await import('@actions/core');
  const code = error instanceof PhotonError ? error.code : 'INTERNAL';
  const why = inertLog(error instanceof Error ? error.message : String(error));
  const hint = error instanceof PhotonError ? error.hint : '';
  writeOutputs(core, { status: 'failed', code, message: why });
  core.error(`${why}${renderHint(hint)}`, { title: `Photon: ${code}` });
  return 1;
}
