/** Measures a fix by the built Action beside the same fix by a bare loop, from outside, in one run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { sum } from '../src/base/plural.ts';
import { withConfig } from '../test/doubles/config.ts';
import { type GitHubDouble, startGitHub } from '../test/doubles/github.ts';
import { type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { begin, sampleFiles, sampleTask } from '../test/doubles/sample.ts';
import { type ActionRun, discard, makeFolder, root, runAction } from '../test/harness.ts';
import { median, row } from './figures.ts';
import { countPrograms, endedChildrenCpuMs, tracePrograms, watchMemory } from './process-tree.ts';

const rounds = 7;
const memoryRounds = 5;
const addedReads = 40;
const testCommand = 'node --test';

const turn = (name: string, args: object): ScriptedTurn => ({
  text: 'One call follows from what the last one showed. I make just that.',
  calls: [{ name, arguments: args }],
});
// no range more than twice, since a call that is made again and again ends the run
const readTurn = (n: number) =>
  turn('read_code_block', {
    requests: [
      { file_path: 'src/price.js', start_line: 1 + (n % 5), end_line: 9 - (Math.floor(n / 5) % 4) },
    ],
  });
const searchTurn = turn('grep', { pattern: 'orderTotal' });
const content = '  return Math.round(total * (1 - discountPercent / 100));';

/** The four calls of a fix, after the skill and the plan that Photon demands, and before the end. */
const steps = ['start', 'plan', 'search', 'read', 'edit', 'test', 'end'] as const;
type StepName = (typeof steps)[number];
const fixScript: readonly ScriptedTurn[] = [
  begin,
  searchTurn,
  readTurn(0),
  turn('apply_patch', { files: [{ path: 'src/price.js', edits: [{ start_line: 4, content }] }] }),
  turn('verify', {}),
  turn('finish', { reason: 'the failing test passes' }),
];
const readsScript: readonly ScriptedTurn[] = [
  begin,
  searchTurn,
  ...Array.from({ length: addedReads }, (_, n) => readTurn(n)),
  turn('abstain', { reason: 'bench' }),
];

interface Fix {
  readonly wholeMs: number;
  readonly cpuMs: number;
  /** From the start, or from the answer of that name, to the next request; at last to the end of the process. */
  readonly stepMs: Readonly<Record<StepName, number>>;
}

interface Played<T> {
  readonly wholeMs: number;
  readonly cpuMs: number;
  /** When each request came, and when its answer left, in ms after the start. */
  readonly requestedMs: readonly number[];
  readonly answeredMs: readonly number[];
  readonly bodies: readonly string[];
  readonly result: T;
}

/** Starts a program with the address of a model, which plays the script, and gives its process to `started`. */
type Program<T> = (modelUrl: string, started: (child: ChildProcess) => void) => Promise<T>;

async function play<T>(
  script: readonly ScriptedTurn[],
  program: Program<T>,
  watch: (child: ChildProcess) => void = () => {},
): Promise<Played<T>> {
  const requested: number[] = [];
  const answered: number[] = [];
  const model = await startModel((_body, i) => {
    requested.push(performance.now());
    queueMicrotask(() => answered.push(performance.now()));
    return script[i] ?? { status: 400 };
  });
  let [startedAt, endedAt] = [0, 0];
  const cpuBefore = endedChildrenCpuMs();
  const result = await program(model.url, child => {
    startedAt = performance.now();
    child.on('exit', () => {
      endedAt = performance.now();
    });
    watch(child);
  });
  await model.close();
  if (requested.length !== script.length)
    throw new Error(`${requested.length} requests instead of ${script.length}`);
  return {
    wholeMs: endedAt - startedAt,
    cpuMs: endedChildrenCpuMs() - cpuBefore,
    requestedMs: requested.map(t => t - startedAt),
    answeredMs: answered.map(t => t - startedAt),
    bodies: model.requests.map(r => JSON.stringify(r.body)),
    result,
  };
}

function fixOf({ wholeMs, cpuMs, requestedMs, answeredMs }: Played<unknown>): Fix {
  const ends = [...requestedMs, wholeMs];
  const stepMs = steps.map((name, i) => [name, (ends[i] ?? 0) - (answeredMs[i - 1] ?? 0)]);
  return { wholeMs, cpuMs, stepMs: Object.fromEntries(stepMs) as Fix['stepMs'] };
}

/** Milliseconds that each read adds to a run. */
const perReadMs = ({ requestedMs }: Played<unknown>) =>
  ((requestedMs.at(-1) ?? 0) - (requestedMs[2] ?? 0)) / addedReads;

interface Bench {
  /** @param through argv to start the Action through. */
  readonly photon: (
    inputs?: object,
    env?: Record<string, string>,
    through?: readonly string[],
  ) => Program<ActionRun>;
  /** The floor with the requests that Photon sent. */
  readonly floor: (requests: readonly string[]) => Program<void>;
}

function openBench(github: GitHubDouble, folder: string): Bench {
  const workspace = join(folder, 'photon');
  const checkout = join(folder, 'floor');
  github.clone(workspace);
  github.clone(checkout);
  const program = join(root, 'bench', 'floor.ts');
  let folders = 0;
  return {
    photon:
      (inputs = {}, env = {}, through = undefined) =>
      async (modelUrl, started) => {
        const given = {
          task: sampleTask,
          'test-command': testCommand,
          delivery: 'patch',
          'max-rounds': '100',
          ...inputs,
        };
        const run = await runAction({
          github,
          modelUrl,
          workspace,
          inputs: given,
          env,
          started,
          through,
        });
        const refused = /(abstain|degrade) \w+/.exec(run.log)?.[0];
        if (refused !== undefined) throw new Error(`${run.outcome.code}: ${refused}\n${run.log}`);
        return run;
      },
    floor: requests => {
      const bodies = join(folder, `requests-${folders++}`);
      mkdirSync(bodies);
      for (const [i, body] of requests.entries()) writeFileSync(join(bodies, `${i}.json`), body);
      return (modelUrl, started) => {
        writeFileSync(join(checkout, 'src', 'price.js'), sampleFiles['src/price.js'] ?? '');
        const args = [program, modelUrl, bodies, checkout, testCommand];
        // as for Photon; the types of the program are stripped once
        const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
        const child = spawn(process.execPath, args, {
          env,
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        started(child);
        return new Promise((resolve, reject) => {
          child.on('error', reject);
          child.on('close', code => {
            if (code === 0) resolve();
            else reject(new Error(`the floor ended with ${code}`));
          });
        });
      };
    },
  };
}

/** The peak memory of a program's tree in MiB. Its times do not count, since sampling slows it down. */
async function peakMiB(script: readonly ScriptedTurn[], program: Program<unknown>) {
  let stop = () => 0;
  await play(script, program, child => {
    stop = watchMemory(child.pid ?? 0);
  });
  return stop();
}

/** What one round measured: of Photon, and of the floor. */
interface Pair {
  readonly photon: number;
  readonly floor: number;
}

interface Round {
  readonly photon: Fix;
  readonly floor: Fix;
  readonly perReadMs: Pair;
  /** The start of Photon when V8 has compiled nothing before. */
  readonly coldStartMs: number;
  readonly run: ActionRun;
}

/** Plays Photon and the floor in turn, so that both meet the same load. */
async function measure(bench: Bench) {
  const noProof = { verify: 'none' };
  // once before, to read the disk and to fill the compile cache
  const first = await play(fixScript, bench.photon());
  const fix = bench.floor(first.bodies);
  const reads = bench.floor((await play(readsScript, bench.photon(noProof))).bodies);
  const all: Round[] = [];
  for (let i = 0; i < rounds; i++) {
    const floor = fixOf(await play(fixScript, fix));
    const played = await play(fixScript, bench.photon());
    const cold = { NODE_DISABLE_COMPILE_CACHE: '1' };
    all.push({
      photon: fixOf(played),
      floor,
      perReadMs: {
        floor: perReadMs(await play(readsScript, reads)),
        photon: perReadMs(await play(readsScript, bench.photon(noProof))),
      },
      coldStartMs: fixOf(await play(fixScript, bench.photon({}, cold))).stepMs.start,
      run: played.result,
    });
  }
  const peaks: Pair[] = [];
  for (let i = 0; i < memoryRounds; i++)
    peaks.push({
      floor: await peakMiB(fixScript, fix),
      photon: await peakMiB(fixScript, bench.photon()),
    });
  return { all, peaks };
}

interface Figure {
  readonly name: string;
  readonly pairs: readonly Pair[];
  readonly unit: string;
  readonly digits?: number;
  /** The largest ratio that the project accepts. */
  readonly budget?: number;
}

function print({ name, pairs, unit, digits = 0, budget }: Figure): void {
  const [photon, floor] = [median(pairs.map(p => p.photon)), median(pairs.map(p => p.floor))];
  const ratio = photon / floor;
  const figures = `${photon.toFixed(digits)} / ${floor.toFixed(digits)} ${unit} = ${ratio.toFixed(1)} x`;
  const isMet = budget === undefined || ratio <= budget;
  row(
    name,
    figures,
    budget === undefined ? '' : `budget ${budget} x: ${isMet ? 'met' : 'not met'}`,
  );
}

/** Prints each figure of Photon and of the floor, their ratio and its budget; then what each phase costs. */
export async function benchSpeed(): Promise<void> {
  const github = await startGitHub({ seed: withConfig(sampleFiles) });
  const folder = makeFolder();
  const loadBefore = loadavg()[0] ?? 0;
  try {
    const bench = openBench(github, folder);
    const { all, peaks } = await measure(bench);
    const load = `load ${loadBefore.toFixed(0)} to ${(loadavg()[0] ?? 0).toFixed(0)}`;
    row(`Photon / floor, medians of ${rounds}`, load, '');
    const of = (value: (fix: Fix) => number) =>
      all.map(r => ({ photon: value(r.photon), floor: value(r.floor) }));
    const step = (name: StepName): Figure => ({
      name: `  ${name}: answer to next request`,
      pairs: of(f => f.stepMs[name]),
      unit: 'ms',
      digits: 1,
    });
    const cold = all.map(r => ({ photon: r.coldStartMs, floor: r.floor.stepMs.start }));
    const figures: readonly Figure[] = [
      {
        name: 'start to first request',
        pairs: of(f => f.stepMs.start),
        unit: 'ms',
        budget: 6,
      },
      { name: '  without a compile cache', pairs: cold, unit: 'ms' },
      { name: 'whole fix', pairs: of(f => f.wholeMs / 1000), unit: 's', digits: 2, budget: 6 },
      { name: 'processor time', pairs: of(f => f.cpuMs / 1000), unit: 's', digits: 2 },
      { name: 'peak resident memory of the tree', pairs: peaks, unit: 'MiB', budget: 1.6 },
      { name: 'each added read', pairs: all.map(r => r.perReadMs), unit: 'ms', digits: 1 },
      step('search'),
      step('read'),
      step('edit'),
    ];
    for (const figure of figures) print(figure);
    printPhases(all);
    await printPrograms(bench, join(folder, 'programs'));
  } finally {
    await github.close();
    discard(folder);
  }
}

/** What each phase of a run costs, as a share of the whole. */
function printPhases(all: readonly Round[]): void {
  const whole = median(all.map(r => r.photon.wholeMs));
  const phase = (name: string, value: (round: Round) => number) => {
    const ms = median(all.map(value));
    row(name, `${ms.toFixed(0)} ms`, `${((100 * ms) / whole).toFixed(0)} %`);
  };
  const command = (caller: string) => (round: Round) =>
    (round.run.session?.commands ?? [])
      .filter(c => c.caller === caller)
      .reduce((sum, c) => sum + c.durationMs, 0);
  for (const name of steps) phase(`phase: ${name}`, r => r.photon.stepMs[name]);
  phase('  command of the baseline', command('baseline'));
  phase('  command of the verification', command('verify'));
  phase('  the test command outside a sandbox', r => r.floor.stepMs.test);
  const ran = (all.at(-1)?.run.session?.commands ?? []).map(c => c.caller);
  const callers = ['baseline', 'verify', 'proof'].map(
    name => `${name} ${ran.filter(caller => caller === name).length}`,
  );
  row('runs of the tests for one verdict', callers.join(', '), '');
}

/** The programs that a fix starts, those of the tests among them, by their names. */
async function printPrograms(bench: Bench, list: string): Promise<void> {
  const through = tracePrograms(list);
  if (through === undefined) {
    row('programs that a fix starts', 'needs strace', '');
    return;
  }
  await play(fixScript, bench.photon({}, {}, through));
  const counts = [...countPrograms(list)];
  row('programs that a fix starts', String(sum(counts.map(([, n]) => n))), '');
  for (const [name, n] of counts) row(`  ${name}`, String(n), '');
}
