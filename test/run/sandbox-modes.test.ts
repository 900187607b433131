import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { pathWithout } from '../doubles/search-path.ts';
import { discard, fingerprint, makeFolder, runAction } from '../harness.ts';
import { play } from './scenario.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

/** A PATH without the programs that create namespaces. */
const poorPath = () => pathWithout(folder, 'bwrap', 'unshare');

describe('a machine without a sandbox', () => {
  it('ends a run that requires one before the first model request, and says what to do', async () => {
    await play(
      { script: repairScript, inputs: { sandbox: 'required' }, env: { PATH: poorPath() } },
      ({ outcome, model }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'SANDBOX_UNAVAILABLE' });
        expect(outcome.message).toContain('The sandbox lacks: network, reads, writes, peek');
        expect(outcome.message).toContain('apt-get install bubblewrap');
        expect(model.requests).toHaveLength(0);
      },
    );
  });

  it('names each missing guarantee in the outcome, summary and pull request of a run that does not require one', async () => {
    await play(
      {
        script: repairScript,
        inputs: { sandbox: 'auto', 'test-command': 'node --test' },
        env: { PATH: poorPath() },
      },
      ({ outcome, summary, github }) => {
        expect(outcome.status).toBe('committed');
        const missing = outcome.sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
        expect(missing).toEqual(expect.arrayContaining(['network', 'writes', 'peek', 'sockets']));
        const body = [...github.state.pulls.values()][0]?.body ?? '';
        for (const name of missing)
          for (const text of [summary, body]) expect(text).toContain(name);
      },
    );
  });
});

describe('two concurrent runs on one checkout', () => {
  it('do not see each other, and do not change the checkout', async () => {
    const github = await startGitHub({ seed: sampleFiles });
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const before = fingerprint(workspace);
    const models = await Promise.all([startModel(repairScript), startModel(repairScript)]);
    const inputs = { task: sampleTask, 'dry-run': 'true' };
    const runs = await Promise.all(
      models.map(model => runAction({ github, modelUrl: model.url, workspace, inputs })),
    );
    for (const double of [github, ...models]) await double.close();
    expect(runs.map(r => [r.outcome.status, r.outcome.code])).toEqual([
      ['previewed', 'DRY_RUN'],
      ['previewed', 'DRY_RUN'],
    ]);
    expect(runs[0]?.patch).toBe(runs[1]?.patch);
    expect(runs[0]?.outcome.runId).not.toBe(runs[1]?.outcome.runId);
    expect(fingerprint(workspace)).toBe(before);
  });
});
