/** Runs the benchmarks and prints their figures as ratios within one run: `npm run bench`. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { auditLedger } from '../src/audit/audit.ts';
import { withConfig } from '../test/doubles/config.ts';
import { openEngine } from '../test/doubles/engine.ts';
import { type GitHubDouble, startGitHub } from '../test/doubles/github.ts';
import { type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { begin, look, sampleFiles, sampleTask } from '../test/doubles/sample.ts';
import { discard, makeFolder, root, runAction } from '../test/harness.ts';
import { benchBill } from './bill.ts';
import { benchCorpora } from './corpora.ts';
import { benchDetect } from './detect.ts';
import { median, row } from './figures.ts';
import { benchFleet } from './fleet.ts';
import { benchHonest } from './honest.ts';
import { benchNavigation } from './navigation.ts';
import { benchParallel } from './parallel.ts';
import { benchProfiles } from './profiles.ts';
import { benchProofCost } from './proof/cost.ts';
import { benchProof } from './proof/run.ts';
import { benchReal } from './real/run.ts';
import { benchRepair } from './repair/run.ts';
import { benchRounds } from './rounds.ts';
import { benchRunners } from './runners.ts';
import { benchSeat } from './seat.ts';
import { benchSession } from './session.ts';
import { benchShare } from './share.ts';
import { benchSkills } from './skills.ts';
import { benchSpeed } from './speed.ts';
import { benchWindow } from './window.ts';

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

/** The bytes of each request of one run of the built Action. */
async function bytesOf(
  github: GitHubDouble,
  workspace: string,
  script: readonly ScriptedTurn[],
): Promise<readonly number[]> {
  const model = await startModel((_body, i) => script[i] ?? stop);
  const inputs = { task: sampleTask, verify: 'none', 'max-rounds': '100' };
  await runAction({ github, modelUrl: model.url, workspace, inputs });
  await model.close();
  return model.requests.map(r => r.bytes);
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
  speed: benchSpeed,
  engine: benchEngine,
  rounds: benchRounds,
  session: benchSession,
  navigation: benchNavigation,
  profiles: benchProfiles,
  parallel: benchParallel,
  skills: benchSkills,
  window: benchWindow,
  runners: benchRunners,
  corpora: benchCorpora,
  detect: benchDetect,
};

/** Measures the bytes of whole runs, the engine alone, and the size of the bundle. */
async function benchEngine(): Promise<void> {
  const github = await startGitHub({ seed: withConfig(sampleFiles) });
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    for (const calls of [5, 20, 60]) {
      const reads = Array.from({ length: calls - 2 }, (_, i) => read(i));
      const bytes = await bytesOf(github, workspace, [begin, ...reads, stop]);
      row(
        `bytes sent over a run of ${calls} tool calls`,
        `${bytes.reduce((a, b) => a + b, 0)}`,
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

const alone = ['fleet', 'repair', 'real', 'proof', 'proof-cost', 'bill', 'share', 'honest', 'seat'];
for (const [name, bench] of Object.entries(parts))
  if (wanted.length === 0 || (!alone.includes(wanted[0] ?? '') && wanted.includes(name)))
    await bench();
// many searches take long, so they run only on request, with their own arguments
if (wanted[0] === 'repair') await benchRepair(wanted.slice(1));
if (wanted[0] === 'real') await benchReal(wanted.slice(1));
if (wanted[0] === 'bill') await benchBill(wanted.slice(1));
if (wanted[0] === 'seat') await benchSeat();
if (wanted[0] === 'fleet') await benchFleet(wanted.slice(1));
if (wanted[0] === 'share') await benchShare(wanted.slice(1));
if (wanted[0] === 'honest') await benchHonest(wanted.slice(1));
if (wanted[0] === 'proof-cost') await benchProofCost();
if (wanted[0] === 'proof') await benchProof(wanted.slice(1));
