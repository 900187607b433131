/** Plays the faults of the repair benchmark with the built command line, and judges each patch by its meaning. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { discard, makeFolder, root } from '../../test/harness.ts';
import { commitAll, describeEdit, readKept, runEngine, runProgram, writeKept } from '../engine.ts';
import { median } from '../figures.ts';
import { judgePatch, readRepository, writeRepository } from './judge.ts';
import { type Half, halves, listCases, type RepairCase, readPrograms } from './programs.ts';

const ends = ['repaired', 'wrong', 'abstained', 'failed'] as const;

/** How one fault ended. */
export interface Measured {
  readonly id: string;
  readonly half: Half;
  readonly language: string;
  readonly end: (typeof ends)[number];
  /** True if the pull request would show a warning of the engine. */
  readonly warned: boolean;
  readonly seconds: number;
  readonly tried: number;
  readonly perSecond: number;
  /** Load of the machine over the last minute. */
  readonly load: number;
  /** For the tuning half only: the edit, or why there is none. */
  readonly detail: string;
}

/** Runs one fault offline. */
export async function measureCase(bug: RepairCase): Promise<Measured> {
  const folder = makeFolder();
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const repo = join(folder, 'repo');
  try {
    writeRepository(repo, bug.buggy);
    commitAll(repo);
    const { outcome, patchPath, log, seconds } = await runEngine({
      repo,
      out: join(folder, 'out'),
    });
    const { half, language } = bug.program;
    const { tried = 0, perSecond = 0, warnings = [] } = outcome?.repair ?? {};
    const made = (end: Measured['end'], detail: string): Measured => ({
      ...{ id: bug.id, half, language, end, warned: warnings.length > 0, seconds },
      ...{ tried, perSecond, load, detail: half === 'tuning' ? detail : '' },
    });
    if (outcome === undefined) return made('failed', log.slice(-400));
    if (outcome.status === 'abstained') return made('abstained', outcome.statement ?? '');
    if (patchPath === undefined) return made('failed', outcome.message);
    runProgram(repo, ['git', 'apply', patchPath]);
    const verdict = await judgePatch(bug, readRepository(repo));
    const edit = describeEdit(outcome);
    return verdict.same ? made('repaired', edit) : made('wrong', `${edit}; ${verdict.detail}`);
  } finally {
    discard(folder);
  }
}

/** The build that is measured. */
function hashBuild(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(join(root, 'dist'))
    .filter(n => n.endsWith('.js'))
    .sort())
    hash.update(readFileSync(join(root, 'dist', name)));
  return hash.digest('hex').slice(0, 12);
}

/** `npm run bench -- repair`: one fault after the other, since each uses every core. What was played is kept. */
export async function benchRepair(words: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      half: { type: 'string' },
      seconds: { type: 'string', default: 'Infinity' },
      results: { type: 'string', default: join(root, '.photon-out', `repair-${hashBuild()}.json`) },
    },
  });
  const { half, results } = values;
  const isWanted = ({ id, program }: RepairCase) =>
    (half === undefined || program.half === half) &&
    (positionals.length === 0 || positionals.some(p => p === id || p === program.name));
  const cases = listCases(readPrograms()).filter(isWanted);
  const until = Date.now() + Number(values.seconds) * 1000;
  let kept = readKept<Measured>(results);
  for (const [i, bug] of cases.entries()) {
    if (kept.some(k => k.id === bug.id)) continue;
    if (Date.now() >= until) break;
    const measured = await measureCase(bug);
    kept = [...kept, measured];
    writeKept(results, kept);
    process.stdout.write(`${i + 1}/${cases.length} ${describe(measured)}\n`);
  }
  for (const each of halves) {
    const all = kept.filter(k => k.half === each);
    if (all.length > 0) process.stdout.write(`\n${each}: ${summarise(all)}\n`);
  }
}

function describe({ id, end, warned, seconds, tried, perSecond, detail }: Measured): string {
  const head = `${id.padEnd(20)} ${end.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s`;
  return `${head}${warned ? '  warned' : ''}  ${tried} tried, ${perSecond}/s  ${detail.slice(0, 120)}`;
}

/** The figures of a half. */
function summarise(all: readonly Measured[]): string {
  const of = (end: Measured['end']) => all.filter(m => m.end === end);
  const counts = ends.map(end => {
    const warned = of(end).filter(m => m.warned).length;
    return `${end} ${of(end).length}${warned > 0 ? ` (${warned} with a warning)` : ''}`;
  });
  const time = (end: Measured['end']) => `${median(of(end).map(m => m.seconds)).toFixed(1)} s`;
  const rate = (language: string) =>
    median(all.flatMap(m => (m.language === language && m.tried > 0 ? [m.perSecond] : [])));
  return [
    `${all.length} faults on ${availableParallelism()} cores`,
    `(load before each: median ${median(all.map(m => m.load)).toFixed(1)}): ${counts.join(', ')};`,
    `medians: ${time('repaired')} to a repair, ${time('abstained')} to an abstention,`,
    `${rate('javascript')} and ${rate('python')} candidates a second in JavaScript and Python`,
  ].join(' ');
}
