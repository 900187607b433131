/** Runs `npm run bench -- repair`: a half, the planted set or some cases, with progress, and results kept in a file. */
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../test/harness.ts';
import { median } from '../figures.ts';
import { halves, type RepairCase, readCases } from './cases.ts';
import { engineOf, type Kept, keep, readKept, writeKept } from './kept.ts';
import { type Measured, measureCase } from './measure.ts';

interface Chosen {
  readonly bugs: readonly RepairCase[];
  readonly results: string;
  /** Time after which no case starts, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Parses the arguments after `repair`: `--half tuning|held-out|planted`, names of cases, `--results FILE`, and
 * `--seconds N`, after which no case starts. Throws on a name that is not a case.
 */
function choose(words: readonly string[]): Chosen {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      half: { type: 'string' },
      results: { type: 'string', default: join(root, '.photon-out', 'repair.json') },
      seconds: { type: 'string', default: 'Infinity' },
    },
  });
  const cases = readCases();
  const unknown = positionals.filter(name => !cases.has(name));
  const half = halves.find(h => h === values.half);
  if (unknown.length > 0 || (values.half !== undefined && half === undefined))
    throw new Error(`no such case or half: ${unknown.join(', ') || values.half}`);
  const bugs = [...cases.values()].filter(
    b =>
      (half === undefined || b.half === half) &&
      (positionals.length === 0 || positionals.includes(b.name)),
  );
  const until = Date.now() + Number(values.seconds) * 1000;
  return { bugs, results: values.results, until };
}

/** Runs one case after another, because each uses every core. Cases in the file do not run again. */
export async function benchRepair(words: readonly string[]): Promise<void> {
  const { bugs, results, until } = choose(words);
  const engine = engineOf();
  let kept = readKept(results, engine);
  for (const [i, bug] of bugs.entries()) {
    if (kept.some(k => k.name === bug.name)) continue;
    if (Date.now() >= until) break;
    const load = loadavg()[0] ?? 0;
    const measured = await measureCase(bug);
    kept = [...kept, keep(measured, load)];
    writeKept(results, engine, kept);
    process.stdout.write(`${String(i + 1).padStart(3)}/${bugs.length} ${describe(measured)}\n`);
  }
  for (const half of halves) {
    const measured = kept.filter(k => k.half === half);
    if (measured.length > 0) process.stdout.write(`\n${half}: ${summarise(measured)}\n`);
  }
}

/** One line about one bug; for the sets that are not for tuning, only the result. */
function describe({ bug, result, warned, seconds, outcome, detail }: Measured): string {
  const head = `${bug.name.padEnd(18)} ${result.padEnd(27)} ${seconds.toFixed(1).padStart(6)} s${warned ? '  warned' : ''}`;
  if (bug.half !== 'tuning') return head;
  const repair = outcome?.repair;
  const edit = repair?.edit;
  const shown =
    edit === undefined
      ? detail.slice(0, 160)
      : `${edit.template}: ${edit.after.trim().split('\n')[0]?.slice(0, 80)}`;
  return `${head}  ${repair?.tried ?? 0}/${repair?.candidates ?? 0} ${repair?.perSecond ?? 0}/s, ${repair?.alternatives.length ?? 0} others; ${shown}`;
}

/** The figures of a half, and those that have a goal beside it. */
function summarise(measured: readonly Kept[]): string {
  const count = (result: Kept['result']) => measured.filter(m => m.result === result).length;
  const timeOf = (some: readonly Kept[]) =>
    some.length === 0 ? '-' : `${median(some.map(m => m.seconds)).toFixed(1)} s`;
  const rateOf = (language: string) => {
    const rates = measured.filter(m => m.language === language && m.tried > 0);
    return rates.length === 0 ? '-' : Math.round(median(rates.map(m => m.perSecond)));
  };
  const repaired = measured.filter(m => m.result === 'repaired');
  const quiet = repaired.filter(m => !m.warned).length;
  return [
    `${measured.length} bugs on ${availableParallelism()} cores`,
    `(load before each: median ${median(measured.map(m => m.load)).toFixed(1)}):`,
    `repaired ${count('repaired')} (${quiet} without a warning),`,
    `plausible with a warning ${count('plausible, with its warning')},`,
    `wrong without one ${count('wrong, without a warning')},`,
    `abstained ${count('abstained')}, failed ${count('failed')};`,
    `longest ${Math.max(...measured.map(m => m.seconds)).toFixed(1)} s.`,
    `Medians (goals): to a repair ${timeOf(repaired)} (5),`,
    `to an abstention ${timeOf(measured.filter(m => m.result === 'abstained'))} (20);`,
    `candidates a second, JavaScript ${rateOf('javascript')} (300), Python ${rateOf('python')} (200)`,
  ].join(' ');
}
