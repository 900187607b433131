/** Starts the embedded engine on a faulty repository with the built command line, and reads how it ended. */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hasPatch, type Outcome } from '../src/base/outcome.ts';
import { root } from '../test/harness.ts';

interface EngineStart {
  readonly repo: string;
  /** Folder for the files of the run. */
  readonly out: string;
  /** The built command line; this project's when absent. */
  readonly cli?: string;
  /** The command that runs the tests; the detected one when absent. */
  readonly test?: string;
  /** Milliseconds that the engine is told; it is ended some time after. */
  readonly limitMs?: number;
}

/** How a run of the engine ended. */
export interface EngineEnd {
  readonly outcome: Outcome | undefined;
  /** The patch; undefined if there is none. */
  readonly patchPath: string | undefined;
  readonly log: string;
  /** True if it was ended at its limit. */
  readonly late: boolean;
  readonly seconds: number;
}

/** Milliseconds for a run to end itself behind its limit, and again once it is told to end. */
const graceMs = 10_000;

/** Runs the engine offline and with an empty environment. */
export async function runEngine(given: EngineStart): Promise<EngineEnd> {
  const { repo, out, test, limitMs, cli = join(root, 'dist', 'photon.js') } = given;
  const words = [
    ...['run', '--repo', repo, '--out', out, '--model', 'builtin'],
    ...['--task', 'Make the failing tests pass.'],
    ...(test === undefined ? [] : ['--test-command', test]),
    ...(limitMs === undefined ? [] : ['--timeout-minutes', String(limitMs / 60_000)]),
  ];
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const started = performance.now();
  const child = spawn(process.execPath, [cli, ...words], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let late = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (log += data));
  const end = () => {
    late = true;
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
  };
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs + graceMs);
  // what a killed run leaves behind may keep its output open
  await new Promise(done => child.on('exit', done));
  clearTimeout(timer);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const paths = existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : [];
  const found = paths.find(path => path.endsWith('outcome.json'));
  if (found === undefined) return { outcome: undefined, patchPath: undefined, log, late, seconds };
  const outcome = JSON.parse(readFileSync(join(out, found), 'utf8')) as Outcome;
  const patchPath = hasPatch(outcome.status) ? join(out, dirname(found), 'patch.diff') : undefined;
  return { outcome, patchPath, log, late, seconds };
}

/** The edit that the engine made, in a line; empty if the outcome states none. */
export function describeEdit(outcome: Outcome | undefined): string {
  const edit = outcome?.repair?.edit;
  return edit === undefined ? '' : `${edit.template}: ${edit.after.trim().split('\n')[0]}`;
}

/** Runs a program to its end. @throws Error with what it said if it fails. */
export function runProgram(cwd: string, [program = '', ...args]: readonly string[]): string {
  const made = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64e6 });
  if (made.status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${made.error ?? made.stderr}`);
  return made.stdout;
}

/** Makes a repository of a folder, with one commit of everything in it. */
export function commitAll(folder: string): void {
  const as = ['-c', 'user.name=Benchmark', '-c', 'user.email=bench@localhost'];
  runProgram(folder, ['git', 'init', '-q']);
  runProgram(folder, ['git', 'add', '-A']);
  runProgram(folder, ['git', ...as, 'commit', '-qm', 'program']);
}

/** Reads results that were kept in a file; none if there is no such file. */
export const readKept = <T>(path: string): readonly T[] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as readonly T[]) : [];

/** Replaces a file of results in one step. */
export function writeKept(path: string, results: readonly unknown[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}
