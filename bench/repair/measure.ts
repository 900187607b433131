/** Runs the repair benchmark with the real engine: each bug in its own repository, judged by meaning. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { hasPatch, type Outcome } from '../../src/base/outcome.ts';
import { discard, makeFolder, root } from '../../test/harness.ts';
import type { RepairCase } from './cases.ts';
import { judgePatch, writeRepository } from './judge.ts';

/** The result of one bug. */
export interface Measured {
  readonly bug: RepairCase;
  readonly result:
    | 'repaired'
    | 'plausible, with its warning'
    | 'wrong, without a warning'
    | 'abstained'
    | 'failed';
  /** True if the pull request would show a warning. */
  readonly warned: boolean;
  readonly seconds: number;
  readonly outcome: Outcome | undefined;
  readonly detail: string;
}

/** Runs one bug with the built command line, offline and with an empty environment. */
export async function measureCase(
  bug: RepairCase,
  cli = join(root, 'dist', 'photon.js'),
): Promise<Measured> {
  const folder = makeFolder();
  try {
    const repo = join(folder, 'repo');
    writeRepository(repo, bug.buggyRepository);
    git(repo, 'init', '-q');
    git(repo, 'add', '-A');
    git(
      repo,
      '-c',
      'user.name=Benchmark',
      '-c',
      'user.email=bench@localhost',
      'commit',
      '-qm',
      'program',
    );
    const started = performance.now();
    const log = await run(cli, [
      'run',
      '--repo',
      repo,
      '--out',
      join(folder, 'out'),
      '--model',
      'builtin',
      '--task',
      'Make the failing tests pass.',
    ]);
    const seconds = (performance.now() - started) / 1000;
    const at = findOutcome(join(folder, 'out'));
    const outcome =
      at === undefined
        ? undefined
        : (JSON.parse(readFileSync(join(at, 'outcome.json'), 'utf8')) as Outcome);
    const warned = (outcome?.repair?.warnings.length ?? 0) > 0;
    const about = { bug, seconds, outcome, warned };
    if (at === undefined || outcome === undefined)
      return { ...about, result: 'failed', detail: log.slice(-400) };
    if (outcome.status === 'abstained')
      return { ...about, result: 'abstained', detail: outcome.statement ?? '' };
    if (!hasPatch(outcome.status)) return { ...about, result: 'failed', detail: outcome.message };
    git(repo, 'apply', join(at, 'patch.diff'));
    const verdict = await judgePatch(bug, readAll(repo));
    if (verdict.same) return { ...about, result: 'repaired', detail: verdict.by };
    return {
      ...about,
      result: warned ? 'plausible, with its warning' : 'wrong, without a warning',
      detail: verdict.detail,
    };
  } finally {
    discard(folder);
  }
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
}

function run(cli: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (log += data));
  return new Promise(done => child.on('close', () => done(log)));
}

function findOutcome(out: string): string | undefined {
  const folders = existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : [];
  const found = folders.find(f => f.endsWith('outcome.json'));
  return found === undefined ? undefined : join(out, found, '..');
}

function readAll(repo: string): Record<string, string> {
  const paths = readdirSync(repo, { recursive: true, withFileTypes: true })
    .filter(e => e.isFile())
    .map(e => relative(repo, join(e.parentPath, e.name)))
    .filter(p => !p.startsWith('.git/') && !p.includes('__pycache__'));
  return Object.fromEntries(paths.map(p => [p, readFileSync(join(repo, p), 'utf8')]));
}
