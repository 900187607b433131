/** A ledger that is broken between the last call and the delivery: nothing is published. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withConfig } from '../doubles/config.ts';
import { type Forgeable, forgeLedger } from '../doubles/forge.ts';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { discard, makeFolder, runActionIn } from '../harness.ts';
import { sample } from '../seed.ts';

const of = (entries: Forgeable[], tool: string) =>
  entries.find(e => e.tool === tool) ?? expect.fail(`no ${tool}`);
const resealed = (change: (entries: Forgeable[]) => void) => (text: string) =>
  forgeLedger(text, change);

const ways: readonly (readonly [way: string, code: string, change: (text: string) => string])[] = [
  ['one character', 'LEDGER_SEAL', text => text.replace('"tool":"plan"', '"tool":"plam"')],
  [
    'a looser policy, sealed anew',
    'LEDGER_POLICY',
    resealed(e => {
      const policy = of(e, 'run.start').policy as {
        constitution: { limits: Record<string, number> };
      };
      policy.constitution.limits.read_lines = 100_000;
    }),
  ],
];

describe('nothing is published when the ledger has', () => {
  it.concurrent.each(sample('ways to break a ledger', ways, 1))('%s', async (_, code, change) => {
    const folder = makeFolder();
    const github = await startGitHub({ seed: withConfig(sampleFiles) });
    const model = await startModel(repairScript);
    try {
      const workspace = join(folder, 'checkout');
      github.clone(workspace, 'main');
      let broken = 0;
      github.watch(() => {
        // the first request after the last call is the delivery's
        const path = globSync(join(folder, 'runner/photon-*/ledger.jsonl')).find(p =>
          readFileSync(p, 'utf8').includes('"tool":"finish"'),
        );
        if (broken > 0 || path === undefined) return undefined;
        const text = readFileSync(path, 'utf8');
        const changed = change(text);
        expect(changed).not.toBe(text);
        writeFileSync(path, changed);
        broken += 1;
        return undefined;
      });
      const refs = github.store.refs();
      const run = await runActionIn(folder, {
        github,
        modelUrl: model.url,
        workspace,
        inputs: { task: sampleTask },
      });
      expect(broken, run.log).toBe(1);
      expect(run.outcome).toMatchObject({ status: 'failed', code: 'EXECUTION_INVALID' });
      expect(run.outcome.message).toContain(`: ${code}: `);
      expect(run.exitCode).toBe(1);
      expect(github.store.refs()).toEqual(refs);
      expect(github.state.pulls.size).toBe(0);
      expect(run.kept).not.toContain('https://in-toto.io/');
    } finally {
      await Promise.all([github.close(), model.close()]);
      discard(folder);
    }
  });
});
