import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { withConfig } from '../doubles/config.ts';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { discard, fingerprint, makeFolder, runAction } from '../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

describe('two concurrent runs on one checkout', () => {
  it('do not see each other, and do not change the checkout', async () => {
    const github = await startGitHub({ seed: withConfig(sampleFiles) });
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const before = fingerprint(workspace);
    const models = await Promise.all([startModel(repairScript), startModel(repairScript)]);
    const inputs = { task: sampleTask, staged: 'true' };
    const runs = await Promise.all(
      models.map(model => runAction({ github, modelUrl: model.url, workspace, inputs })),
    );
    for (const double of [github, ...models]) await double.close();
    expect(runs.map(r => [r.outcome.status, r.outcome.code])).toEqual([
      ['previewed', 'STAGED'],
      ['previewed', 'STAGED'],
    ]);
    expect(runs[0]?.patch).toBe(runs[1]?.patch);
    expect(runs[0]?.outcome.runId).not.toBe(runs[1]?.outcome.runId);
    expect(fingerprint(workspace)).toBe(before);
  });
});
