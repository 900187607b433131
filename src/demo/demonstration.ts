/** The demonstration: the Action as GitHub's runner starts it, on a sample repository, with a double of GitHub's API on this machine. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { PhotonError } from '../base/codes.ts';
import type { Outcome } from '../base/outcome.ts';
import type { Environment } from '../process/environment.ts';
import { findPrograms } from '../process/programs.ts';
import { examineMachine } from '../sandbox/probe/doctor.ts';
import { removeFolder } from '../workspace/files/remove-folder.ts';
import type { PullState } from './github/api.ts';
import { type ServedGitHub, serveGitHub } from './github/serve-github.ts';

const task = 'A test fails. Repair the code under test so that all tests pass.';

export interface DemonstrationOptions {
  readonly env: Environment;
  /** Photon's own folder. */
  readonly root: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Takes each line, without its end. */
  readonly say: (line: string) => void;
}

/** What a demonstration leaves. */
export interface Demonstration {
  readonly pull: PullState;
  /** Outputs of the Action, by name. */
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Plays the demonstration to its end. The files of the run stay; they are removed if it is cancelled.
 * @throws PhotonError `CANCELLED`; `DEMO_UNFINISHED` for each end without an open pull request; `GIT`.
 */
export async function playDemonstration(options: DemonstrationOptions): Promise<Demonstration> {
  const { env, root, now, say, signal } = options;
  const folder = mkdtempSync(join(tmpdir(), 'photon-demo-'));
  const files = readSample(join(root, 'assets', 'demo'));
  const github = await serveGitHub({
    gitDir: join(folder, 'repo.git'),
    files,
    path: env.PATH ?? '',
    now,
  });
  try {
    const workspace = join(folder, 'checkout');
    cloneRepository(join(folder, 'repo.git'), workspace, env);
    say("Made a sample repository with one failing test. A local server plays GitHub's API.");
    const inputs = { ...chooseModel(env, say), ...(await chooseSandbox(env, workspace, say)) };
    say(`Task: ${task}\n`);
    const run = { folder, workspace, github, inputs: { task, ...inputs } };
    const end = await startAction(run, options);
    signal.throwIfAborted();
    return showEnd(end, github, say);
  } catch (problem) {
    if (signal.aborted) removeFolder(folder);
    throw problem;
  } finally {
    await github.close();
  }
}

/** @throws PhotonError `GIT`. */
function cloneRepository(from: string, to: string, env: Environment): void {
  try {
    execFileSync('git', ['clone', '-q', from, to], { env, stdio: 'pipe' });
  } catch (cause) {
    throw new PhotonError('GIT', 'git cannot clone the sample repository.', { cause });
  }
}

/** Files of the sample repository, by path. */
function readSample(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter(e => e.isFile()).map(e => join(e.parentPath, e.name));
  return Object.fromEntries(
    paths.map(path => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}

type Say = DemonstrationOptions['say'];

/** A real model if the environment names its address, key and name. */
function chooseModel(env: Environment, say: Say): Record<string, string> {
  const { PHOTON_BASE_URL: address = '', PHOTON_API_KEY: key = '', PHOTON_MODEL: model = '' } = env;
  if (address !== '' && key !== '' && model !== '') {
    say(`The model is ${model}.`);
    return { 'base-url': address, 'api-key': key, model };
  }
  say('No model is used: the embedded engine (model: builtin) searches for the repair.');
  say('To use a model, set PHOTON_BASE_URL, PHOTON_API_KEY and PHOTON_MODEL.');
  return { model: 'builtin' };
}

/** The sandbox of this machine if it gives every guarantee; otherwise none, which is said. */
async function chooseSandbox(
  env: Environment,
  workspacePath: string,
  say: Say,
): Promise<Record<string, string>> {
  const programs = findPrograms(env.PATH ?? '', [workspacePath]);
  const { guarantees } = await examineMachine({ env, programs, workspacePath });
  const missing = guarantees.filter(g => !g.holds).map(g => g.name);
  if (missing.length === 0) return { sandbox: 'required' };
  say(`This machine cannot guarantee ${missing.join(', ')} (photon doctor says why).`);
  say("So the sample's own test runs without a sandbox, and the pull request is a draft.");
  return { sandbox: 'none' };
}

interface ActionStart {
  readonly folder: string;
  readonly workspace: string;
  readonly github: ServedGitHub;
  readonly inputs: Readonly<Record<string, string>>;
}

interface ActionEnd {
  readonly status: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Starts the Action as the runner does and passes its log on. It has no time limit but its own. */
async function startAction(
  start: ActionStart,
  { env, root, say, signal }: DemonstrationOptions,
): Promise<ActionEnd> {
  const output = join(start.folder, 'output');
  const child = spawn(process.execPath, [join(root, 'dist', 'index.js')], {
    cwd: start.workspace,
    env: makeJobEnvironment(start, env, output),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches this process alone, which passes it on once
    detached: true,
    signal,
    killSignal: 'SIGINT',
  });
  const showLine = (line: string) => {
    const shown = withoutCommand(line);
    if (shown !== undefined) say(shown);
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', showLine);
  return new Promise((resolve, reject) => {
    child.on('error', cause => {
      if (signal.aborted) return; // it ends by itself
      const message = `The Action cannot be started: ${cause.message}.`;
      reject(new PhotonError('DEMO_UNFINISHED', message, { cause }));
    });
    child.on('close', (status, ended) => {
      const outputs = readOutputs(readFileSync(output, 'utf8'));
      resolve({ status: status ?? undefined, signal: ended ?? undefined, outputs });
    });
  });
}

/** The environment of a step in a job that `workflow_dispatch` started. */
function makeJobEnvironment(start: ActionStart, env: Environment, output: string) {
  const { folder, workspace, github, inputs } = start;
  const [event, summary, temp] = ['event.json', 'summary', 'runner'].map(n => join(folder, n));
  const repository = { full_name: github.state.repository, default_branch: 'main' };
  writeFileSync(event ?? '', JSON.stringify({ repository }));
  writeFileSync(output, '');
  writeFileSync(summary ?? '', '');
  mkdirSync(temp ?? '');
  const own = Object.entries(env).filter(([name]) => !/^(?:GITHUB|INPUT|PHOTON)_/.test(name));
  const given = { 'github-token': github.token, ...inputs };
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      Object.entries(given).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text]),
    ),
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_EVENT_PATH: event,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_REPOSITORY: github.state.repository,
    GITHUB_API_URL: github.url,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_SHA: github.state.store.commitOf('main'),
    GITHUB_ACTOR: 'maintainer',
    GITHUB_WORKSPACE: workspace,
    RUNNER_TEMP: temp,
    // the double has no secondary limit that writes must keep a second apart for
    PHOTON_MUTATION_SPACING_MS: '0',
  };
}

/** Tells what the run left. @throws PhotonError `DEMO_UNFINISHED` without an open pull request. */
function showEnd(end: ActionEnd, { state }: ServedGitHub, say: Say): Demonstration {
  const { outputs } = end;
  const outcome = readOutcome(outputs['outcome-path']);
  const [pull] = state.pulls.values();
  if (outcome?.status !== 'committed' || pull === undefined)
    throw new PhotonError('DEMO_UNFINISHED', describeEnd(end, outcome));
  say(`\nThe verified diff:\n\n${readFileSync(outputs['patch-path'] ?? '', 'utf8')}`);
  say(
    `${pull.draft ? 'Draft pull' : 'Pull'} request #${pull.number} "${pull.title}", from ${pull.head} into ${pull.base}. Its tree is the base plus exactly the patch.`,
  );
  say(`Result: ${outcome.status} (${outcome.code})`);
  for (const name of ['outcome', 'patch', 'report'])
    say(`${name.padEnd(8)}${outputs[`${name}-path`] ?? ''}`);
  return { pull, outputs };
}

function readOutcome(path: string | undefined): Outcome | undefined {
  if (path === undefined || !existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, 'utf8')) as Outcome;
}

/** Why there is no pull request, in one sentence. */
export function describeEnd(
  { status, signal }: Pick<ActionEnd, 'status' | 'signal'>,
  outcome: Pick<Outcome, 'status' | 'code' | 'message'> | undefined,
): string {
  if (signal !== undefined) return `The Action was ended by ${signal} before it was done.`;
  if (outcome === undefined)
    return `The Action ended with status ${status}, and without an outcome. Its log is above.`;
  if (outcome.status === 'committed')
    return 'The outcome says committed, and the repository has no pull request.';
  return `The run ended ${outcome.status} (${outcome.code}): ${outcome.message}`;
}

/** A line of the Action's log as a person reads it: its commands to the runner are headings, or undefined. */
export function withoutCommand(line: string): string | undefined {
  const shown = line.replace(/^::group::/, '').replace(/^::(error|warning|notice)\b.*?::/, '$1: ');
  return shown.startsWith('::') ? undefined : shown;
}

/** Outputs as `@actions/core` writes them: names with delimiters that cannot be guessed. */
export function readOutputs(text: string): Record<string, string> {
  const found = text.matchAll(/^([\w-]+)<<(\S+)\r?\n([\s\S]*?)(?:\r?\n)?\2\r?$/gm);
  return Object.fromEntries([...found].map(([, name = '', , value = '']) => [name, value]));
}
