/** What a workflow gives the Action as inputs that it does not have. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { discard, makeFolder, runAction } from '../harness.ts';

it('ends the step before anything is asked or written, and says where each setting is set', async () => {
  const github = await startGitHub({ seed: sampleFiles });
  const model = await startModel(repairScript);
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const { exitCode, outputs } = await runAction({
      github,
      modelUrl: model.url,
      workspace,
      inputs: { task: sampleTask },
      env: { INPUT_REVIEWERS: 'ann', 'INPUT_MAX-VIOLATIONS': '1', 'INPUT_KEEP-GREEN': '' },
    });
    expect(exitCode).toBe(1);
    expect(outputs).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
    expect(outputs.message).toContain('set delivery.reviewers in .photon/config.json');
    expect(outputs.message).toContain('max-violations is no input');
    expect(outputs.message).not.toContain('keep-green');
    expect([...model.requests, ...github.seen]).toEqual([]);
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
});
