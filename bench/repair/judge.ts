/** Judges whether a delivered patch means the same as the true fix: by text, otherwise by behaviour. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RepairCase, Repository } from './cases.ts';

/** A judgement by behaviour is an upper bound, because it samples inputs. */
export type Verdict =
  | { readonly same: true; readonly by: 'text' }
  | { readonly same: true; readonly by: 'behaviour'; readonly calls: number }
  | {
      readonly same: false;
      /** It changes other files; it does not load, crashes or runs too long; or its results differ. */
      readonly why: 'other-files' | 'broken' | 'behaviour';
      readonly detail: string;
    };

/** The output of an oracle. */
export interface OracleRun {
  readonly lines: readonly string[];
  /** How it ended; undefined if it finished. */
  readonly broken: string | undefined;
}

/** Many times the duration of the slowest fixed program. */
const timeLimitMs = 30_000;
const maxOutputBytes = 20_000_000;

/** Judges the whole repository with the patch. Starts processes and writes a temporary folder. */
export async function judgePatch(bug: RepairCase, patched: Repository): Promise<Verdict> {
  const others = otherChanges(bug, patched);
  if (others.length > 0) return { same: false, why: 'other-files', detail: others.join(', ') };
  if (normalise(patched[bug.file]) === normalise(bug.fixedRepository[bug.file]))
    return { same: true, by: 'text' };
  const [expected, actual] = await Promise.all([
    runOracle(bug, bug.fixedRepository),
    runOracle(bug, patched),
  ]);
  if (expected.broken !== undefined)
    throw new Error(`${bug.name}: its oracle ends: ${expected.broken}`);
  if (actual.broken !== undefined) return { same: false, why: 'broken', detail: actual.broken };
  return compare(expected.lines, actual.lines);
}

/** Changed paths other than the faulty file. */
function otherChanges(bug: RepairCase, patched: Repository): string[] {
  const paths = new Set([...Object.keys(bug.buggyRepository), ...Object.keys(patched)]);
  return [...paths].filter(
    path => path !== bug.file && patched[path] !== bug.buggyRepository[path],
  );
}

/** Text with normalized line endings, without trailing blanks and empty lines; the oracle judges the rest. */
function normalise(program: string | undefined): string | undefined {
  if (program === undefined) return undefined;
  const lines = program.split(/\r?\n/).map(line => line.trimEnd());
  return lines.filter(line => line !== '').join('\n');
}

function compare(expected: readonly string[], actual: readonly string[]): Verdict {
  const at = expected.findIndex((line, i) => line !== actual[i]);
  if (at < 0 && actual.length === expected.length)
    return { same: true, by: 'behaviour', calls: expected.length };
  const index = at < 0 ? expected.length : at;
  const detail = `call ${index + 1}: ${actual[index] ?? 'nothing'} instead of ${expected[index] ?? 'nothing'}`;
  return { same: false, why: 'behaviour', detail };
}

/** Runs the oracle of a case over a repository; ends all its processes at the time limit. */
export async function runOracle(
  bug: RepairCase,
  repository: Repository,
  limitMs = timeLimitMs,
): Promise<OracleRun> {
  const folder = mkdtempSync(join(tmpdir(), 'photon-judge-'));
  try {
    writeRepository(folder, repository);
    const [command, ...args] = commandFor(bug, join(folder, bug.file));
    return await run(command ?? '', args, folder, limitMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a repository's files into an empty folder. */
export function writeRepository(folder: string, repository: Repository): void {
  for (const [path, text] of Object.entries(repository)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

let python: string | undefined;

/** The interpreter behind `python3`, which may be a slow wrapper. */
export function findPython(): string {
  const ask = ['-c', 'import sys; print(sys.executable)'];
  python ??= execFileSync('python3', ask, { encoding: 'utf8' }).trim();
  return python;
}

function commandFor(bug: RepairCase, program: string): string[] {
  const here = import.meta.dirname;
  return bug.language === 'python'
    ? [findPython(), '-B', join(here, 'run_oracle.py'), bug.oracle, program]
    : [
        process.execPath,
        '--max-old-space-size=512',
        join(here, 'run-oracle.ts'),
        bug.oracle,
        program,
      ];
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  limitMs: number,
): Promise<OracleRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      timeout: limitMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > maxOutputBytes) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const last = errors.trim().split('\n').at(-1) ?? '';
      const broken =
        code === 0
          ? undefined
          : signal === null
            ? `exit status ${code}: ${last}`
            : `stopped: ${signal}`;
      resolve({ lines: output.split('\n').filter(line => line !== ''), broken });
    });
  });
}
