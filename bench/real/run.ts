/** Runs `npm run bench -- real`: the engine on regressions of published packages, with results kept in a file. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasPatch, type Outcome } from '../../src/base/outcome.ts';
import { discard, makeFolder, root } from '../../test/harness.ts';
import { median } from '../figures.ts';
import {
  type HumanFix,
  type Regression,
  readHumanFixes,
  readPackages,
  readRegressions,
} from './data.ts';
import { hideTests } from './hide.ts';
import {
  apply,
  commit,
  type Faulty,
  install,
  plantedProject,
  runTests,
  unfixedProject,
} from './project.ts';

export const ends = [
  'repaired',
  'wrong, with a warning',
  'wrong, without a warning',
  'abstained',
  'out of time',
  'crashed',
] as const;

/** The result of one regression or human fix. */
export interface Played {
  readonly id: string;
  readonly half: Regression['half'];
  readonly class: Regression['class'] | 'human';
  readonly end: (typeof ends)[number];
  /** True if the repaired file is the published one, apart from blanks. */
  readonly same: boolean;
  readonly warned: boolean;
  readonly hidden: number;
  readonly seconds: number;
  readonly tried: number;
  readonly perSecond: number;
  /** Of the open half: the reason of an abstention or the edit. */
  readonly detail: string;
}

/** Milliseconds for a run to end itself behind its limit, and again once it is told to end. */
const graceMs = 10_000;

/**
 * Runs one half: `--held-out`, otherwise the open one. Words are ids, packages or repositories. With `--clones DIR`, the
 * human fixes of the repositories in that folder are played, otherwise the regressions.
 */
export async function benchReal(words: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      'held-out': { type: 'boolean', default: false },
      cache: { type: 'string', default: join(tmpdir(), 'photon-bench-real') },
      results: { type: 'string', default: join(root, '.photon-out', 'real.json') },
      seconds: { type: 'string', default: 'Infinity' },
      limit: { type: 'string', default: '60' },
      cli: { type: 'string', default: join(root, 'dist', 'photon.js') },
      clones: { type: 'string' },
      again: { type: 'boolean', default: false },
    },
  });
  const half = values['held-out'] ? 'held-out' : 'open';
  const { cache, clones } = values;
  const all = clones === undefined ? regressions(cache) : humanFixes(cache, clones);
  const bugs = all
    .filter(b => b.half === half)
    .filter(b => positionals.length === 0 || [b.id, b.project].some(w => positionals.includes(w)));
  const until = Date.now() + Number(values.seconds) * 1000;
  let kept = values.again ? [] : readPlayed(values.results);
  const options = { cli: values.cli, limitMs: Number(values.limit) * 1000 };
  for (const [i, bug] of bugs.entries()) {
    if (kept.some(k => k.id === bug.id)) continue;
    if (Date.now() >= until) break;
    const played = await play(bug, options);
    kept = [...kept, played];
    writePlayed(values.results, kept);
    process.stdout.write(`${String(i + 1).padStart(3)}/${bugs.length} ${describe(played)}\n`);
  }
  process.stdout.write(`\n${summarise(kept.filter(k => k.half === half))}\n`);
}

/** One fault that the engine is to repair. */
interface Fault extends Pick<Played, 'id' | 'half' | 'class'> {
  /** The package or repository. */
  readonly project: string;
  readonly file: string;
  readonly test: string;
  readonly open: () => Faulty;
}

function regressions(cache: string): readonly Fault[] {
  const packages = readPackages();
  return readRegressions().map((bug: Regression) => {
    const found = packages.get(bug.package);
    if (found === undefined) throw new Error(`${bug.id}: no package ${bug.package}`);
    const { test } = found;
    const open = () => plantedProject(install(found, cache), bug);
    return {
      id: bug.id,
      half: bug.half,
      class: bug.class,
      file: bug.file,
      project: bug.package,
      test,
      open,
    };
  });
}

function humanFixes(cache: string, clones: string): readonly Fault[] {
  return readHumanFixes().map((fix: HumanFix) => {
    const open = () => unfixedProject(fix, clones, cache);
    return {
      id: fix.id,
      half: fix.half,
      class: 'human',
      file: fix.file,
      project: fix.repo,
      test: fix.test,
      open,
    };
  });
}

interface PlayOptions {
  /** The built command line. */
  readonly cli: string;
  /** Milliseconds for the engine; a run that takes longer is ended. */
  readonly limitMs: number;
}

/** Plants the fault, hides some failing tests, runs the engine, and judges its patch by all tests of the package. */
async function play(bug: Fault, { cli, limitMs }: PlayOptions): Promise<Played> {
  const { write, repaired } = bug.open();
  const folder = makeFolder();
  const repo = join(folder, 'repo');
  try {
    write(repo);
    const hidden = await hideTests(repo, bug.test);
    commit(repo);
    const started = performance.now();
    const { log, late } = await runEngine({
      cli,
      repo,
      out: join(folder, 'out'),
      test: bug.test,
      limitMs,
    });
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const out = findOutcome(join(folder, 'out'));
    const outcome =
      out === undefined
        ? undefined
        : (JSON.parse(readFileSync(join(out, 'outcome.json'), 'utf8')) as Outcome);
    const repair = outcome?.repair;
    const about = {
      id: bug.id,
      half: bug.half,
      class: bug.class,
      hidden,
      seconds,
      tried: repair?.tried ?? 0,
      perSecond: repair?.perSecond ?? 0,
      warned: (repair?.warnings.length ?? 0) > 0,
      same: false,
    };
    const shown = (text: string) => (bug.half === 'open' ? text : '');
    if (late || outcome?.code === 'BUDGET_TIME')
      return { ...about, end: 'out of time', detail: shown(log.slice(-600)) };
    if (out === undefined || outcome === undefined)
      return { ...about, end: 'crashed', detail: log.slice(-600) };
    if (outcome.status === 'abstained')
      return {
        ...about,
        end: 'abstained',
        detail: shown(`${outcome.statement ?? ''}\n${repairLines(log)}`),
      };
    if (!hasPatch(outcome.status))
      return { ...about, end: 'crashed', detail: `${outcome.message}\n${log.slice(-600)}` };
    const whole = join(folder, 'whole');
    write(whole);
    apply(whole, join(out, 'patch.diff'));
    const { passed } = await runTests(whole, bug.test);
    const blankless = (text: string) => text.replace(/\s+/g, ' ');
    const end = passed
      ? 'repaired'
      : about.warned
        ? 'wrong, with a warning'
        : 'wrong, without a warning';
    const same = blankless(readFileSync(join(whole, bug.file), 'utf8')) === blankless(repaired);
    const edit = repair?.edit;
    const warnings = repair?.warnings.map(w => `  warned: ${w}\n`).join('') ?? '';
    return {
      ...about,
      end,
      same,
      detail: shown(`${edit?.template}: ${edit?.after.trim()}\n${warnings}${repairLines(log)}`),
    };
  } finally {
    discard(folder);
  }
}

function repairLines(log: string): string {
  return log
    .split('\n')
    .filter(l => l.includes('Repair:'))
    .join('\n');
}

interface EngineStart {
  readonly cli: string;
  readonly repo: string;
  readonly out: string;
  readonly test: string;
  readonly limitMs: number;
}

interface EngineEnd {
  readonly log: string;
  readonly late: boolean;
}

function runEngine({ cli, repo, out, test, limitMs }: EngineStart): Promise<EngineEnd> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const minutes = String(limitMs / 60_000);
  const words = ['--repo', repo, '--out', out, '--model', 'builtin', '--test-command', test];
  const child = spawn(
    process.execPath,
    [cli, 'run', ...words, '--timeout-minutes', minutes, '--task', 'Make the failing tests pass.'],
    { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  let late = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (log += data));
  const timer = setTimeout(() => {
    late = true;
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
  }, limitMs + graceMs);
  // what a killed run leaves behind may keep its output open
  return new Promise(done =>
    child.on('exit', () => {
      clearTimeout(timer);
      setTimeout(() => done({ log, late }), 200);
    }),
  );
}

function findOutcome(out: string): string | undefined {
  const paths = existsSync(out) ? readdirSync(out, { recursive: true, encoding: 'utf8' }) : [];
  const found = paths.find(f => f.endsWith('outcome.json'));
  return found === undefined ? undefined : dirname(join(out, found));
}

function readPlayed(path: string): readonly Played[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as readonly Played[]) : [];
}

function writePlayed(path: string, played: readonly Played[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(played, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}

function describe({
  id,
  end,
  same,
  warned,
  seconds,
  hidden,
  tried,
  perSecond,
  detail,
}: Played): string {
  const words = [
    id.padEnd(26),
    end.padEnd(26),
    `${seconds.toFixed(1).padStart(5)} s`,
    same ? 'same' : '    ',
    warned ? 'warned' : '      ',
    `${hidden} hidden, ${tried} tried, ${perSecond}/s`,
    detail.split('\n')[0]?.slice(0, 120) ?? '',
  ];
  return words.join('  ');
}

/** The figures of a half, and of each class of faults. */
export function summarise(played: readonly Played[]): string {
  const line = (name: string, of: readonly Played[]) => {
    const counts = ends.map(e => `${e} ${of.filter(p => p.end === e).length}`);
    const right = of.filter(p => p.end === 'repaired');
    return [
      `${name.padEnd(10)} ${of.length} faults: ${counts.join(', ')};`,
      `${right.filter(p => p.same).length} as published, ${right.filter(p => p.warned).length} right ones warned;`,
      `median ${median(right.map(p => p.seconds)).toFixed(1)} s to a repair,`,
      `${median(of.filter(p => p.end === 'abstained').map(p => p.seconds)).toFixed(1)} s to an abstention`,
    ].join(' ');
  };
  const classes = [...new Set(played.map(p => p.class))].sort();
  return [
    line('all', played),
    ...classes.map(c =>
      line(
        c,
        played.filter(p => p.class === c),
      ),
    ),
  ].join('\n');
}
