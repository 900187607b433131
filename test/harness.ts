/** Starts the built Action as GitHub's runner would: a process, its environment, its files. */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Outcome } from '../src/base/outcome.ts';
import { readOutputs } from '../src/demo/demonstration.ts';
import type { ActionInputName } from '../src/settings/settings.ts';
import { removeFolder } from '../src/workspace/files/remove-folder.ts';
import { runFiles } from '../src/workspace/files/run-folder.ts';
import { readStoredSession, type StoredSession } from '../src/workspace/session/session-store.ts';
import type { GitHubDouble } from './doubles/github.ts';
import { nameSampleTest } from './doubles/sample.ts';
import { startPhoton } from './process.ts';
import { root } from './root.ts';

export { root };

/** The agent profile that runs are played under; the tests of the engine run under both. */
export const profile = process.env.PHOTON_TEST_PROFILE ?? 'photon';
export const isXml = profile === 'kjxlkj-agent';

/** A random-looking value that may appear nowhere. */
export const canary = 'sk-canary-7Qx2Lm9Vb4Tz8Wn1Rk5Yp3Hd6Jf0';

export interface ActionRun {
  readonly exitCode: number | undefined;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly outcome: Outcome;
  readonly ledger: readonly Record<string, unknown>[];
  readonly ledgerText: string;
  readonly patch: string;
  /** The page for a browser. */
  readonly report: string;
  /** Replies that could not be read, as they were kept. */
  readonly rejected: string;
  /** Everything that the run left in its folder but the session's file, as one text. */
  readonly kept: string;
  /** The session's file as it was left; undefined when the run ended before its first call. */
  readonly session: StoredSession | undefined;
  /** True when the home folder is as it was, to the byte and the second. */
  readonly homeUntouched: boolean;
}

export interface ActionOptions {
  readonly github: GitHubDouble;
  readonly modelUrl: string;
  readonly workspace: string;
  readonly event?: { readonly name: string; readonly payload: object };
  readonly inputs?: Partial<Record<ActionInputName, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly ref?: string;
  readonly sha?: string;
  readonly echo?: (text: string) => void;
  /** Called with the process as soon as it runs. */
  readonly started?: (child: ChildProcess) => void;
  /** Argv to start the Action through. */
  readonly through?: readonly string[];
  /** True for a run in a process of its own. */
  readonly isAlone?: boolean;
  /** Called when the Action has ended, before its files are read. */
  readonly ended?: () => void;
}

/** A new folder below the system's, removed by `discard`. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'photon-test-'));
}

export function discard(folder: string): void {
  removeFolder(folder);
}

/** Runs the Action to its end. The runner's files are gone after it. */
export async function runAction(options: ActionOptions): Promise<ActionRun> {
  const temp = makeFolder();
  try {
    return await runActionIn(temp, options);
  } finally {
    discard(temp);
  }
}

/** The same with the runner's files in a given folder, which stays. */
export async function runActionIn(temp: string, options: ActionOptions): Promise<ActionRun> {
  const files = {
    event: join(temp, 'event.json'),
    output: join(temp, 'output'),
    summary: join(temp, 'summary'),
  };
  const repository = { full_name: options.github.repository, default_branch: 'main' };
  writeFileSync(files.event, JSON.stringify({ repository, ...options.event?.payload }));
  writeFileSync(files.output, '');
  writeFileSync(files.summary, '');
  mkdirSync(join(temp, 'runner'), { recursive: true });
  const home = join(temp, 'home');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Somebody\n');
  const homeBefore = fingerprint(home);
  const inputs: Partial<Record<ActionInputName, string>> = {
    'github-token': options.github.token,
    'api-key': canary,
    'base-url': options.modelUrl,
    model: 'double',
    // the scripts of a test are hostile: without a sandbox, none of them runs
    sandbox: 'required',
    'test-command': nameSampleTest(
      readText(join(options.workspace, 'package.json')),
      readText(join(options.workspace, '.photon', 'config.json')),
    ),
    // a failure would open the dashboard in nearly every test
    'report-to': options.event === undefined ? 'none' : '',
    ...options.inputs,
  };
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value ?? '']),
    ),
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: options.event?.name ?? 'workflow_dispatch',
    GITHUB_EVENT_PATH: files.event,
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_REPOSITORY: options.github.repository,
    GITHUB_API_URL: options.github.url,
    GITHUB_REF: options.ref ?? 'refs/heads/main',
    GITHUB_SHA: options.sha ?? options.github.store.commitOf('main') ?? '',
    GITHUB_ACTOR: 'maintainer',
    GITHUB_WORKSPACE: options.workspace,
    RUNNER_TEMP: join(temp, 'runner'),
    MY_SECRET: `${canary}-other`,
    PHOTON_MUTATION_SPACING_MS: '0',
    // the bundle is compiled once for all runs of the tests
    NODE_COMPILE_CACHE: join(tmpdir(), 'photon-test-compile-cache'),
    ...options.env,
  };
  let log = '';
  const { code: exitCode } = await startPhoton({
    args: undefined,
    cwd: options.workspace,
    env,
    through: options.through,
    started: options.started,
    isAlone: options.isAlone,
    onOutput: text => {
      log += text;
      options.echo?.(text);
    },
  });
  options.ended?.();
  const outputs = readOutputs(readFileSync(files.output, 'utf8'));
  const outcomePath = outputs['outcome-path'] ?? '';
  const left = outcomePath === '' ? undefined : runFiles(dirname(outcomePath));
  const outcomeText = readText(outcomePath);
  // the two ends of a fleet, and a workflow with nothing to do, are no runs, and have no outcome
  const isNoRun = inputs.mode === 'gather' || Boolean(inputs.workflow);
  const isEnded = isNoRun ? outputs.status : outputs.matrix;
  if (outcomeText === '' && outputs.status !== 'failed' && isEnded === undefined)
    throw new Error(`no outcome; exit ${exitCode}\n${log}`);
  const ledgerText = readText(left?.ledgerPath);
  return {
    exitCode,
    log,
    outputs,
    summary: readFileSync(files.summary, 'utf8'),
    outcome: JSON.parse(outcomeText || '{}') as Outcome,
    ledger: ledgerText
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Record<string, unknown>),
    ledgerText,
    session: existsSync(left?.sessionPath ?? '')
      ? readStoredSession(left?.sessionPath ?? '')
      : undefined,
    patch: readText(outputs['patch-path']),
    report: readText(outputs['report-path']),
    rejected: readText(left?.rejectedPath),
    kept: readAll(left?.path),
    homeUntouched: fingerprint(home) === homeBefore,
  };
}

const readText = (path = '') => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The text files of a run's folder as one. */
function readAll(folder: string | undefined): string {
  if (folder === undefined) return '';
  const files = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile());
  const names = files.map(({ name }) => name).filter(name => name !== 'session.db');
  return names.map(name => readFileSync(join(folder, name), 'utf8')).join('\n');
}

/** A digest of everything in a folder: names, modes, contents, links, and times of git's own files. */
export function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    const stat = lstatSync(path);
    hash.update(`${path.slice(folder.length)}\0${stat.mode}\0${stat.mtimeMs}\0`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stat.isDirectory())
      for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(readFileSync(path));
  };
  visit(folder);
  return hash.digest('hex');
}
