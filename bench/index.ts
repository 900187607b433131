/** Runs the benchmarks and prints their figures as ratios within one run: `npm run bench`. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { auditLedger } from '../src/audit/audit.ts';
import { openEngine } from '../test/doubles/engine.ts';
import { type GitHubDouble, startGitHub } from '../test/doubles/github.ts';
import { type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { begin, look, repairScript, sampleFiles, sampleTask } from '../test/doubles/sample.ts';
import { discard, makeFolder, root, runAction } from '../test/harness.ts';
import { median, row } from './figures.ts';
import { benchNavigation } from './navigation.ts';
import { benchParallel } from './parallel.ts';
import { benchProfiles } from './profiles.ts';
import { benchRepair } from './repair/run.ts';
import { benchSession } from './session.ts';
import { benchSkills } from './skills.ts';

const read = (n: number): ScriptedTurn => ({
  text: 'The next lines are needed to see how the total is made. I read just them.',
  calls: [
    {
      name: 'read_code_block',
      arguments: {
        requests: [{ file_path: 'src/price.js', start_line: 1 + (n % 5), end_line: 9 }],
      },
    },
  ],
});
const stop: ScriptedTurn = {
  text: 'This is enough.',
  calls: [{ name: 'abstain', arguments: { reason: 'bench' } }],
};

interface Measured {
  readonly firstRequestMs: number;
  readonly perRoundMs: number;
  readonly bytes: readonly number[];
  readonly peakMiB: number;
}

/** Measures one run of the built Action from outside. Sampling its memory slows it down. */
async function measure(
  github: GitHubDouble,
  workspace: string,
  script: readonly ScriptedTurn[],
  inputs: object = {},
  memory = false,
): Promise<Measured> {
  const times: number[] = [];
  const answered: number[] = [];
  const model = await startModel((_body, i) => {
    times.push(performance.now());
    queueMicrotask(() => answered.push(performance.now()));
    return script[i] ?? stop;
  });
  let started = 0;
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  await runAction({
    github,
    modelUrl: model.url,
    workspace,
    inputs: { task: sampleTask, ...inputs },
    started: child => {
      started = performance.now();
      if (!memory) return;
      timer = setInterval(() => {
        peak = Math.max(peak, treeMiB(child.pid ?? 0));
      }, 5);
    },
  });
  clearInterval(timer);
  await model.close();
  const rounds = times.slice(1).map((t, i) => t - (answered[i] ?? t));
  return {
    firstRequestMs: (times[0] ?? 0) - started,
    perRoundMs: median(rounds),
    bytes: model.requests.map(r => r.bytes),
    peakMiB: peak,
  };
}

/** The memory of a process and its descendants; shared pages count in proportion (PSS). */
function treeMiB(pid: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter(n => /^\d+$/.test(n))) {
    try {
      const parent = Number(
        readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ')[1],
      );
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // the process has ended meanwhile
    }
  }
  const all = [pid];
  for (const p of all) all.push(...(children.get(p) ?? []));
  return all.reduce((sum, p) => sum + pssMiB(p), 0);
}

function pssMiB(pid: number): number {
  try {
    return (
      Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0) /
      1024
    );
  } catch {
    return 0;
  }
}

function emptyNodeMs(): number {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

function sizeMiB(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return (
    names.reduce(
      (sum, n) => sum + (statSync(join(folder, n)).isFile() ? statSync(join(folder, n)).size : 0),
      0,
    ) /
    1024 /
    1024
  );
}

/** Measures the loop, guard, tools and ledger in this process, and an audit of their ledger. */
async function measureEngine(): Promise<void> {
  const bench = await openEngine({ files: sampleFiles, passes: () => true });
  const script = [begin, look, ...Array.from({ length: 60 }, (_, i) => read(i))];
  const plays: number[] = [];
  const audits: number[] = [];
  let ledgerBytes = 0;
  for (let i = 0; i < 9; i++) {
    let from = performance.now();
    const { ledgerText, entries } = await bench.play(script);
    plays.push((performance.now() - from) / entries.length);
    ledgerBytes = ledgerText.length / entries.length;
    from = performance.now();
    auditLedger(ledgerText, { shipped: bench.policy, complete: true });
    audits.push((performance.now() - from) / entries.length);
  }
  bench.close();
  const share = median(audits) / median(plays);
  row('engine alone, per ledger entry', `${median(plays).toFixed(2)} ms`, '');
  row('audit / engine, per entry', `${share.toFixed(2)} x (${median(audits).toFixed(2)} ms)`, '');
  row('bytes of the ledger per entry', ledgerBytes.toFixed(0), '');
}

const wanted = process.argv.slice(2);
const parts = {
  engine: benchEngine,
  session: benchSession,
  navigation: benchNavigation,
  profiles: benchProfiles,
  parallel: benchParallel,
  skills: benchSkills,
};

/** Measures the built Action from outside. */
async function benchEngine(): Promise<void> {
  const github = await startGitHub({ seed: sampleFiles });
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    await measure(github, workspace, [stop]); // warm the disk
    const ratios: number[] = [];
    const firsts: number[] = [];
    for (let i = 0; i < 9; i++) {
      const empty = median([emptyNodeMs(), emptyNodeMs(), emptyNodeMs()]);
      const { firstRequestMs } = await measure(github, workspace, [stop], { verify: 'none' });
      ratios.push(firstRequestMs / empty);
      firsts.push(firstRequestMs);
    }
    row(
      'start to first model request / node -e 0',
      `${median(ratios).toFixed(1)} x (${median(firsts).toFixed(0)} ms)`,
      'goal 3 x',
    );

    const long = await measure(
      github,
      workspace,
      [begin, ...Array.from({ length: 60 }, (_, i) => read(i)), stop],
      { verify: 'none', 'max-rounds': '100' },
    );
    row('engine and HTTP time per round', `${long.perRoundMs.toFixed(2)} ms`, 'goal 2 ms');

    const whole = await measure(github, workspace, repairScript, {}, true);
    row(
      'peak memory of the process tree, tests included',
      `${whole.peakMiB.toFixed(0)} MiB`,
      'goal 200 MiB',
    );
    row('bytes of the first request', `${whole.bytes[0]}`, 'goal 9000');
    for (const calls of [5, 20, 60]) {
      const run = await measure(
        github,
        workspace,
        [begin, ...Array.from({ length: calls - 2 }, (_, i) => read(i)), stop],
        { verify: 'none', 'max-rounds': '100' },
      );
      row(
        `bytes sent over a run of ${calls} tool calls`,
        `${run.bytes.reduce((a, b) => a + b, 0)}`,
        '',
      );
    }
    await measureEngine();
    row('size of dist, grammars included', `${sizeMiB(join(root, 'dist')).toFixed(1)} MiB`, '');
    row(
      'size of dist without grammars',
      `${(sizeMiB(join(root, 'dist')) - sizeMiB(join(root, 'dist', 'grammars'))).toFixed(1)} MiB`,
      '',
    );
  } finally {
    await github.close();
    discard(folder);
  }
}

for (const [name, bench] of Object.entries(parts))
  if (wanted.length === 0 || (wanted[0] !== 'repair' && wanted.includes(name))) await bench();
// seventy searches take long, so they run only on request, with their own arguments
if (wanted[0] === 'repair') await benchRepair(wanted.slice(1));
