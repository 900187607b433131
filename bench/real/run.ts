/** Plays the embedded engine on fixes that people made in public repositories, from clones on this machine. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { discard, makeFolder, root } from '../../test/harness.ts';
import { commitAll, describeEdit, readKept, runEngine, runProgram, writeKept } from '../engine.ts';
import { median } from '../figures.ts';
import { hideTests } from './hide.ts';
import { type HumanFix, openUnfixed, readHumanFixes, runTests } from './projects.ts';

const ends = ['repaired', 'wrong', 'abstained', 'out of time', 'crashed'] as const;

/** How one fix ended. */
interface Played {
  readonly id: string;
  readonly half: HumanFix['half'];
  readonly end: (typeof ends)[number];
  /** True if the repaired file is the one of the commit, apart from blanks. */
  readonly same: boolean;
  /** True if the pull request would show a warning of the engine. */
  readonly warned: boolean;
  /** Failing tests that the engine did not see. */
  readonly hidden: number;
  readonly seconds: number;
  readonly tried: number;
  /** Of the open half: the edit, or why there is none. */
  readonly detail: string;
}

/** `npm run bench -- real --clones DIR`. Words are ids or repositories. What was played is kept. */
export async function benchReal(words: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      clones: { type: 'string' },
      'held-out': { type: 'boolean', default: false },
      cache: { type: 'string', default: join(tmpdir(), 'photon-bench-real') },
      results: { type: 'string', default: join(root, '.photon-out', 'real.json') },
      seconds: { type: 'string', default: 'Infinity' },
      limit: { type: 'string', default: '60' },
      cli: { type: 'string', default: join(root, 'dist', 'photon.js') },
      again: { type: 'boolean', default: false },
    },
  });
  const { clones, cache, cli } = values;
  if (clones === undefined) throw new Error('--clones DIR: name the folder of the clones');
  const half = values['held-out'] ? 'held-out' : 'open';
  const isNamed = ({ id, repo }: HumanFix) =>
    positionals.length === 0 || positionals.includes(id) || positionals.includes(repo);
  const fixes = readHumanFixes().filter(fix => fix.half === half && isNamed(fix));
  const until = Date.now() + Number(values.seconds) * 1000;
  let kept = values.again ? [] : readKept<Played>(values.results);
  const options = { clones, cache, cli, limitMs: Number(values.limit) * 1000 };
  for (const [i, fix] of fixes.entries()) {
    if (kept.some(k => k.id === fix.id)) continue;
    if (Date.now() >= until) break;
    const played = await play(fix, options);
    kept = [...kept, played];
    writeKept(values.results, kept);
    process.stdout.write(`${i + 1}/${fixes.length} ${describe(played)}\n`);
  }
  process.stdout.write(`\n${summarise(kept.filter(k => k.half === half))}\n`);
}

interface PlayOptions {
  readonly clones: string;
  readonly cache: string;
  readonly cli: string;
  readonly limitMs: number;
}

/** Hides some failing tests, runs the engine, and judges its patch by all tests of the commit. */
async function play(fix: HumanFix, { clones, cache, cli, limitMs }: PlayOptions): Promise<Played> {
  const { write, repaired } = openUnfixed(fix, clones, cache);
  const folder = makeFolder();
  const [repo, whole] = [join(folder, 'repo'), join(folder, 'whole')];
  const { id, half, test, file } = fix;
  try {
    write(repo);
    const hidden = await hideTests(repo, test);
    commitAll(repo);
    const out = join(folder, 'out');
    const ended = await runEngine({ repo, out, cli, test, limitMs });
    const { outcome, patchPath, log, late, seconds } = ended;
    const { tried = 0, warnings = [] } = outcome?.repair ?? {};
    const warned = warnings.length > 0;
    const made = (end: Played['end'], detail: string, same = false): Played => ({
      ...{ id, half, end, same, warned, hidden, seconds, tried },
      detail: half === 'open' || end === 'crashed' ? detail : '',
    });
    if (late || outcome?.code === 'BUDGET_TIME') return made('out of time', log.slice(-600));
    if (outcome === undefined) return made('crashed', log.slice(-600));
    if (outcome.status === 'abstained') return made('abstained', outcome.statement ?? '');
    if (patchPath === undefined) return made('crashed', `${outcome.message} ${log.slice(-600)}`);
    write(whole);
    runProgram(whole, ['git', 'apply', patchPath]);
    const { passed } = await runTests(whole, test);
    const isSame =
      withoutBlanks(readFileSync(join(whole, file), 'utf8')) === withoutBlanks(repaired);
    return made(passed ? 'repaired' : 'wrong', describeEdit(outcome), isSame);
  } finally {
    discard(folder);
  }
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, ' ');

function describe({ id, end, same, warned, seconds, hidden, tried, detail }: Played): string {
  const words = [
    id.padEnd(26),
    end.padEnd(11),
    `${seconds.toFixed(1).padStart(5)} s`,
    same ? 'same' : '    ',
    warned ? 'warned' : '      ',
    `${hidden} hidden, ${tried} tried`,
    detail.split('\n')[0]?.slice(0, 120) ?? '',
  ];
  return words.join('  ');
}

/** The figures of a half. */
function summarise(played: readonly Played[]): string {
  const of = (end: Played['end']) => played.filter(p => p.end === end);
  const [right, silent] = [of('repaired'), of('abstained')];
  return [
    `${played.length} fixes: ${ends.map(end => `${end} ${of(end).length}`).join(', ')};`,
    `${right.filter(p => p.same).length} as in the commit, ${right.filter(p => p.warned).length} right ones warned;`,
    `median ${median(right.map(p => p.seconds)).toFixed(1)} s to a repair,`,
    `${median(silent.map(p => p.seconds)).toFixed(1)} s to an abstention`,
  ].join(' ');
}
