/** Measures the bytes that a run sends by its length, with both profiles and the same decisions. */
import { join } from 'node:path';
import { withConfig } from '../test/doubles/config.ts';
import { startGitHub } from '../test/doubles/github.ts';
import { type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { begin, sampleFiles, sampleTask } from '../test/doubles/sample.ts';
import { discard, makeFolder, runAction } from '../test/harness.ts';
import { row } from './figures.ts';

const lengths = [5, 20, 60];

/** A round that reads lines and notes them; each note replaces the earlier one. */
const read = (n: number, notes: boolean): ScriptedTurn => ({
  text: 'The next lines are needed to see how the total is made. I read just them.',
  calls: [
    {
      name: 'read_code_block',
      arguments: {
        requests: [{ file_path: 'src/price.js', start_line: 1 + (n % 5), end_line: 9 }],
      },
    },
    ...(notes
      ? [
          {
            name: 'ram_add',
            arguments: {
              key: 'think_log',
              value: `Round ${n}: read src/price.js from ${1 + (n % 5)}; the factor is in line 4; next is the patch.`,
            },
          },
        ]
      : []),
  ],
});
const stop: ScriptedTurn = {
  text: 'This is enough.',
  calls: [{ name: 'abstain', arguments: { reason: 'benchmark' } }],
};

/** The bytes of each request of a run with this number of rounds. */
async function bytesOf(profile: string, rounds: number): Promise<readonly number[]> {
  const github = await startGitHub({ seed: withConfig(sampleFiles, { agent: { profile } }) });
  const notes = profile === 'kjxlkj-agent';
  const turns = Array.from({ length: rounds - 2 }, (_, i) => read(i, notes));
  const model = await startModel([begin, ...turns, stop]);
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const inputs = {
      task: sampleTask,
      verify: 'none',
      'max-rounds': '100',
    };
    const run = await runAction({ github, modelUrl: model.url, workspace, inputs });
    if (run.outcome.status !== 'abstained' || model.requests.length !== rounds)
      throw new Error(`${profile}, ${rounds} rounds: ${run.outcome.code}`);
    return model.requests.map(r => r.bytes);
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
}

const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);

/** Totals, bytes per round, and the size of the last request relative to the third. */
export async function benchProfiles(): Promise<void> {
  for (const profile of ['photon', 'kjxlkj-agent']) {
    for (const rounds of lengths) {
      const bytes = await bytesOf(profile, rounds);
      const growth = (bytes.at(-1) ?? 0) / (bytes[2] ?? 1);
      row(
        `${profile}: bytes sent over ${rounds} rounds`,
        `${sum(bytes)} (${Math.round(sum(bytes) / rounds)} a round)`,
        `last request / third: ${growth.toFixed(2)} x`,
      );
    }
  }
}
