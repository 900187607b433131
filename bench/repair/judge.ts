/** Judges whether a delivered patch means the same as the true fix: by text, otherwise by the results of calls. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Program, RepairCase, Repository } from './programs.ts';

/** A judgement by behaviour is an upper bound, because it samples inputs. */
export type Verdict =
  | { readonly same: true; readonly by: 'text' | 'behaviour' }
  | {
      readonly same: false;
      /** It changes other files; it does not load, crashes or runs too long; or its results differ. */
      readonly why: 'other-files' | 'broken' | 'behaviour';
      readonly detail: string;
    };

/** The results of calls, a line of JSON for each. */
export interface CallResults {
  readonly lines: readonly string[];
  /** How the program ended; undefined if it finished. */
  readonly broken: string | undefined;
}

/** Many times the duration of the slowest fixed program. */
const timeLimitMs = 60_000;
/** How often each call of an oracle is made, with other random values. */
const times = 100;

/** Judges the whole repository with the patch. */
export async function judgePatch(bug: RepairCase, patched: Repository): Promise<Verdict> {
  const { program, file, fixed, buggy } = bug;
  const paths = new Set([...Object.keys(buggy), ...Object.keys(patched)]);
  const others = [...paths].filter(path => path !== file && patched[path] !== buggy[path]);
  if (others.length > 0) return { same: false, why: 'other-files', detail: others.join(', ') };
  const text = patched[file] ?? '';
  if (withoutBlanks(text) === withoutBlanks(fixed[file] ?? '')) return { same: true, by: 'text' };
  const expected = await runOracle(program, program.text);
  if (expected.broken !== undefined)
    throw new Error(`${bug.id}: its oracle ends: ${expected.broken}`);
  const actual = await runOracle(program, text);
  if (actual.broken !== undefined) return { same: false, why: 'broken', detail: actual.broken };
  const at = expected.lines.findIndex((line, i) => line !== actual.lines[i]);
  if (at < 0) return { same: true, by: 'behaviour' };
  const detail = `call ${at + 1}: ${actual.lines[at]} instead of ${expected.lines[at]}`;
  return { same: false, why: 'behaviour', detail };
}

/** Text without blanks at line ends and empty lines. */
const withoutBlanks = (text: string) =>
  text
    .split(/\r?\n/)
    .map(line => line.trimEnd())
    .filter(Boolean)
    .join('\n');

/** Makes the calls of a program's oracle to a version of it. */
export const runOracle = (program: Program, text: string): Promise<CallResults> =>
  runCalls(program, text, { calls: program.oracle, times });

/** What the tests of a program find in a version of it: for each call, whether it has its result. */
export async function playTests(program: Program, text: string): Promise<readonly boolean[]> {
  const calls = program.tests.map(t => t.call);
  const results = program.tests.map(({ result }) => (/^throws /.test(result) ? '0' : result));
  const expected = await runCalls(program, program.text, { calls: results, times: 1 });
  const { lines } = await runCalls(program, text, { calls, times: 1 });
  return program.tests.map(({ result }, i) => {
    const error = /^throws (\w+)/.exec(result)?.[1];
    const { value, error: thrown } = JSON.parse(lines[i] ?? '{}');
    if (error !== undefined) return error === thrown;
    return JSON.stringify(value) === JSON.stringify(JSON.parse(expected.lines[i] ?? '{}').value);
  });
}

/** Makes calls to a version of a program, which is ended at the time limit. */
export async function runCalls(
  { name, language }: Program,
  text: string,
  { calls, times }: { readonly calls: readonly string[]; readonly times: number },
): Promise<CallResults> {
  const folder = mkdtempSync(join(tmpdir(), 'photon-judge-'));
  try {
    const isPython = language === 'python';
    const path = join(folder, isPython ? `${name}.py` : `${name}.mjs`);
    writeFileSync(path, text);
    writeFileSync(join(folder, 'calls'), `${calls.join('\n')}\n`);
    const runner = join(import.meta.dirname, isPython ? 'run_calls.py' : 'run-calls.ts');
    const args = [...(isPython ? ['-B'] : ['--max-old-space-size=512']), runner];
    const command = isPython ? findPython() : process.execPath;
    return await collect(command, [...args, path, join(folder, 'calls'), String(times)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function collect(command: string, args: readonly string[]): Promise<CallResults> {
  const options = { timeout: timeLimitMs, killSignal: 'SIGKILL' } as const;
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > 20_000_000) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const last = errors.trim().split('\n').at(-1);
      const ending = signal === null ? `exit status ${code}: ${last}` : `stopped: ${signal}`;
      const lines = output.split('\n').filter(Boolean);
      resolve({ lines, broken: code === 0 ? undefined : ending });
    });
  });
}

let python: string | undefined;

/** The interpreter behind `python3`, which may be a slow wrapper. */
export function findPython(): string {
  const ask = ['-c', 'import sys; print(sys.executable)'];
  python ??= execFileSync('python3', ask, { encoding: 'utf8' }).trim();
  return python;
}

/** Writes a repository's files into a folder. */
export function writeRepository(folder: string, repository: Repository): void {
  for (const [path, text] of Object.entries(repository)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Reads the files of a repository, without those of git and of Python's cache. */
export function readRepository(folder: string): Repository {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .filter(path => !path.startsWith('.git/') && basename(dirname(path)) !== '__pycache__');
  return Object.fromEntries(files.map(path => [path, readFileSync(join(folder, path), 'utf8')]));
}
