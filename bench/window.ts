/** Measures what a long run sends to the model, and that it ends the same inside a small window. */
import { join } from 'node:path';
import type { Config } from '../src/settings/settings.ts';
import { withConfig } from '../test/doubles/config.ts';
import { startGitHub } from '../test/doubles/github.ts';
import { longRun, longRunFiles, prefixShares, type readings } from '../test/doubles/long-run.ts';
import { startModel } from '../test/doubles/model.ts';
import { sampleTask } from '../test/doubles/sample.ts';
import { discard, makeFolder, runAction } from '../test/harness.ts';
import { row } from './figures.ts';

const calls = 60;
const smallWindow = 8000;

/** Plays a long run through the built Action. */
async function playLong(reading: keyof typeof readings, config: Config = {}) {
  const github = await startGitHub({ seed: withConfig(longRunFiles, config) });
  const folder = makeFolder();
  const model = await startModel(longRun(calls, reading));
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const task = { task: sampleTask, 'max-rounds': '100' };
    const run = await runAction({ github, modelUrl: model.url, workspace, inputs: task });
    const { status, code } = run.outcome;
    const bytes = model.requests.map(r => r.bytes);
    return {
      ending: `${status} ${code}`,
      sentKilobytes: bytes.reduce((a, b) => a + b, 0) / 1000,
      largest: Math.max(...bytes),
      shares: prefixShares(model.requests.map(r => r.body)),
    };
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
}

export async function benchWindow(): Promise<void> {
  const goals = { again: 'goal 1300 KB', onward: '' } as const;
  for (const reading of ['again', 'onward'] as const) {
    const lines = reading === 'again' ? 'the same lines' : 'other lines each time';
    const whole = await playLong(reading);
    const kilobytes = `${whole.sentKilobytes.toFixed(0)} KB`;
    row(`sent over ${calls} calls that read ${lines}`, kilobytes, goals[reading]);
    const compacted = whole.shares.filter(s => s < 0.9).length;
    row('  requests that do not continue the one before', `${compacted}`, '');
    const small = await playLong(reading, { model: { contextWindow: smallWindow } });
    const ending = small.ending === whole.ending ? `${small.ending}, as without one` : small.ending;
    row(`  in a window of ${smallWindow} tokens`, ending, whole.ending);
    const largest = `${Math.ceil(small.largest / 3)} tokens of 3 bytes`;
    row('  its largest request', largest, `goal ${smallWindow}`);
  }
}
