/** The repair benchmark through the real engine: each bug in a repository of its own, judged by meaning. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { Outcome } from '../../src/outcome.ts';
import { discard, makeFolder, root } from '../../test/harness.ts';
import { median } from '../figures.ts';
import { type RepairCase, readCases } from './cases.ts';
import { judgePatch, writeRepository } from './judge.ts';

/** How one bug came out. */
export interface Measured {
  readonly bug: RepairCase;
  readonly result:
    | 'repaired'
    | 'plausible, with its warning'
    | 'wrong, without a warning'
    | 'abstained'
    | 'failed';
  /** True when the pull request would warn. */
  readonly warned: boolean;
  readonly seconds: number;
  readonly outcome: Outcome | null;
  readonly detail: string;
}

/** Runs one bug through the built command line, offline and with an empty environment. */
export async function measureCase(
  bug: RepairCase,
  cli = join(root, 'dist', 'cli', 'index.js'),
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
      'user.name=Bench',
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
      at === null ? null : (JSON.parse(readFileSync(join(at, 'outcome.json'), 'utf8')) as Outcome);
    const warned = (outcome?.repair?.warnings.length ?? 0) > 0;
    const about = { bug, seconds, outcome, warned };
    if (at === null || outcome === null)
      return { ...about, result: 'failed', detail: log.slice(-400) };
    if (outcome.status === 'abstained')
      return { ...about, result: 'abstained', detail: outcome.statement ?? '' };
    if (outcome.status !== 'committed')
      return { ...about, result: 'failed', detail: outcome.message };
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

function findOutcome(out: string): string | null {
  const folders = existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : [];
  const found = folders.find(f => f.endsWith('outcome.json'));
  return found === undefined ? null : join(out, found, '..');
}

function readAll(repo: string): Record<string, string> {
  const paths = readdirSync(repo, { recursive: true, withFileTypes: true })
    .filter(e => e.isFile())
    .map(e => relative(repo, join(e.parentPath, e.name)))
    .filter(p => !p.startsWith('.git/') && !p.includes('__pycache__'));
  return Object.fromEntries(paths.map(p => [p, readFileSync(join(repo, p), 'utf8')]));
}

/** All bugs of a half (or those named), one after another, since each uses every core. */
export async function measureHalf(
  half: RepairCase['half'],
  names: readonly string[] = [],
): Promise<readonly Measured[]> {
  const bugs = [...readCases().values()].filter(
    b => b.half === half && (names.length === 0 || names.includes(b.name)),
  );
  const measured: Measured[] = [];
  for (const bug of bugs) {
    const one = await measureCase(bug);
    measured.push(one);
    process.stdout.write(`${describe(one)}\n`);
  }
  return measured;
}

/** One line about one bug; of the held-back half it tells no more than the result. */
export function describe({ bug, result, warned, seconds, outcome, detail }: Measured): string {
  const head = `${bug.name.padEnd(20)} ${result.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s${warned ? '  warned' : ''}`;
  if (bug.half === 'held-out') return head;
  const repair = outcome?.repair;
  const edit = repair?.edit;
  const shown =
    edit === undefined
      ? detail.slice(0, 160)
      : `${edit.template}: ${edit.after.trim().split('\n')[0]?.slice(0, 80)}`;
  return `${head}  ${repair?.tried ?? 0}/${repair?.candidates ?? 0} ${repair?.perSecond ?? 0}/s, ${repair?.others ?? 0} others; ${shown}`;
}

/** Figures of a half. */
export function summarise(measured: readonly Measured[]): string {
  const count = (result: Measured['result']) => measured.filter(m => m.result === result).length;
  const seconds = measured.map(m => m.seconds);
  const quiet = measured.filter(m => m.result === 'repaired' && !m.warned).length;
  return [
    `${measured.length} bugs on ${availableParallelism()} cores:`,
    `repaired ${count('repaired')} (${quiet} without a warning),`,
    `plausible with a warning ${count('plausible, with its warning')},`,
    `wrong without one ${count('wrong, without a warning')},`,
    `abstained ${count('abstained')}, failed ${count('failed')};`,
    `median ${median(seconds).toFixed(1)} s, longest ${Math.max(...seconds).toFixed(1)} s`,
  ].join(' ');
}

/** Both halves: the one that the engine was tuned on, and the one that it was not. */
export async function benchRepair(): Promise<void> {
  for (const half of ['tuning', 'held-out'] as const) {
    process.stdout.write(`\nrepair, ${half}\n`);
    process.stdout.write(`${summarise(await measureHalf(half))}\n`);
  }
}
