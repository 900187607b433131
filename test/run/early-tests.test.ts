/** Tests that are likely to fail run before the whole suite, with real runners: the model hears early, the suite decides. */
import { describe, expect, it } from 'vitest';
import { plainSearchPath } from '../doubles/installed.ts';
import { begin, done, look, prove, repair, sampleFiles } from '../doubles/sample.ts';
import { playsVariants } from '../seed.ts';
import { play, toldOf } from './scenario.ts';

/** The suite takes more than five seconds by a file that has nothing to do with the patch. */
const slow = "test('waits', async () => { await new Promise(r => setTimeout(r, 5_200)); });\n";
const manifest = { name: 'sample', type: 'module', scripts: { test: 'node --test' } };

const wrong = {
  ...repair,
  calls: [
    {
      name: 'apply_patch',
      arguments: {
        files: [
          {
            path: 'src/price.js',
            edits: [{ start_line: 4, content: '  return total * (1 - discountPercent / 20);' }],
          },
        ],
      },
    },
  ],
};
const script = [begin, look, wrong, prove, repair, prove, done];

describe('a patch whose tests fail', () => {
  it.runIf(playsVariants)('is told early with node:test', async () => {
    const files = {
      ...sampleFiles,
      'package.json': `${JSON.stringify(manifest)}\n`,
      'test/slow.test.js': `import test from 'node:test';\n${slow}`,
    };
    const env = { PATH: plainSearchPath() };
    await play({ script, env, files }, ({ outcome, model, log }) => {
      expect(outcome, log).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      const told = toldOf(model);
      expect(told).toContain('Verification failed: VERIFY_FAILED');
      expect(told).toContain('a discount is taken off in percent. The whole suite has not run.');
      const { baseline, early, after } = outcome.verification ?? {};
      // the part that passes does not take the place of the suite
      expect(early?.passed).toBe(true);
      expect(early?.outputTail).toMatch(/pass 2/);
      expect(early?.outputTail).not.toMatch(/waits|slow\.test/);
      expect(after?.passed).toBe(true);
      expect(baseline?.durationMs).toBeGreaterThan(5_000);
      expect(after?.durationMs).toBeGreaterThan(5_000);
      // baseline, early failure, early pass, suite, canary
      expect(log.match(/^.*Verify: .*changed files?\)/gm)).toHaveLength(5);
    });
  });
});
