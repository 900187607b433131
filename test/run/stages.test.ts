/** Lints and builds inside the test command, told apart from the tests. */
import { describe, expect, it } from 'vitest';
import { repairScript } from '../doubles/sample.ts';
import { play } from './scenario.ts';

const lint = "console.log('src/price.js: too short');\nprocess.exitCode = 1;\n";
const manifest = (test: string) => `${JSON.stringify({ type: 'module', scripts: { test } })}\n`;
const linted = { 'package.json': manifest('node lint.js && node --test'), 'lint.js': lint };

describe('a test command that fails without the patch', () => {
  it('proves a patch by no-regression, in spite of a lint that fails', async () => {
    const inputs = { verify: 'no-regression' };
    await play({ script: repairScript, inputs, files: linted }, ({ outcome, github }) => {
      expect(outcome.status).toBe('committed');
      expect(outcome.verification).toMatchObject({
        baseline: { exitCode: 1, cases: { passed: 1, failed: 1 } },
        after: { exitCode: 1, cases: { passed: 2, failed: 0 } },
        warnings: [
          'The test command still fails: "node lint.js" fails as it does without the patch.',
        ],
      });
      expect([...github.state.pulls.values()]).toMatchObject([{ draft: true }]);
    });
  });
});
