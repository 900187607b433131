/** A base with a test that fails anyway: what a patch is delivered as, and who hears what. */
import { describe, expect, it } from 'vitest';
import { plainSearchPath } from '../doubles/installed.ts';
import { begin, done, look, prove, repair, sampleFiles, testedByNode } from '../doubles/sample.ts';
import { playsVariants } from '../seed.ts';
import { play, toldOf } from './scenario.ts';

const known = {
  ...testedByNode,
  'test/norway.test.js': `import assert from 'node:assert/strict';\nimport test from 'node:test';\n\ntest('the tax of Norway', () => assert.equal(1, 2));\n`,
};
const task = 'orderTotal in src/price.js takes off ten times the discount. Correct the factor.';
const env = { PATH: plainSearchPath() };
const script = [begin, look, repair, prove, done];

/** The same with another value, with which another test fails. */
const wrong = JSON.parse(JSON.stringify(script).replace('/ 100))', '/ 100) - 1)'));

describe('a test that fails with and without the patch', () => {
  it('makes a draft whose first line names it', async () => {
    await play({ script, task, env, files: known }, ({ outcome, github, model, log }) => {
      expect(outcome, log).toMatchObject({
        status: 'committed',
        verification: { passed: true, sameFailures: ['the tax of Norway'] },
      });
      const [pull] = github.state.pulls.values();
      expect(pull?.draft).toBe(true);
      expect(log).toMatch(/^ *Verify: whether the source cheats its tests$/m);
      expect(log).not.toContain('.git/logs');
      expect(outcome.message).toBe('The unverified patch was delivered.');
      expect(pull?.body?.split('\n')[0]).toBe(
        '1 test fails with and without this patch: the tax of Norway; nothing new fails, 1 more passes.',
      );
      const told = toldOf(model);
      expect(told).toContain('The same failures as before: the tax of Norway.');
      expect(told).not.toContain('no-regression');
    });
  });

  it('fails a patch with which another one fails, and the person hears the setting', async () => {
    const repaired = {
      'src/price.js': (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)'),
    };
    await play(
      { script: wrong, task, env, files: { ...known, ...repaired } },
      ({ outcome, model, summary }) => {
        expect(outcome).toMatchObject({ verification: { passed: false, code: 'VERIFY_FAILED' } });
        expect(outcome.status).not.toBe('committed');
        expect(toldOf(model)).toContain('The same failures as before: ');
        expect(toldOf(model)).not.toContain('no-regression');
        expect(summary).toContain('set verify to no-regression');
      },
    );
  });

  it.runIf(playsVariants)('fails a patch for a task that wants it repaired', async () => {
    const wanted = 'Make the failing tests pass. orderTotal in src/price.js is one cause.';
    await play({ script, task: wanted, env, files: known }, ({ outcome }) => {
      expect(outcome).toMatchObject({ verification: { passed: false, code: 'VERIFY_FAILED' } });
    });
  });
});

describe('of many cases, the one that fails', () => {
  const many = Array.from({ length: 135 }, (_, i) =>
    i === 40
      ? '  test(`rounds up`, () => assert.equal(orderTotal([{ price: 999, count: 1 }], 50), 500));'
      : `  test('case ${i} of many that pass', () => {});`,
  );
  const files = {
    'package.json': `${JSON.stringify({ type: 'module', scripts: { test: 'node --test --test-reporter=tap' } })}\n`,
    'test/many.test.js': [
      "import assert from 'node:assert/strict';",
      "import test from 'node:test';",
      "import { orderTotal } from '../src/price.js';",
      ...many,
      '',
    ].join('\n'),
  };

  it('is shown with its text to the model and on the page, before the end of the output', async () => {
    const repaired = {
      'src/price.js': (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)'),
    };
    const failing = JSON.parse(JSON.stringify(script).replace('/ 100)', '/ 90)'));
    await play(
      { script: failing, task, env, files: { ...files, ...repaired } },
      ({ outcome, model, report, log }) => {
        expect(outcome.status, log).toBe('rolled_back');
        const first =
          /Failed: [^\n]*rounds up[\s\S]*not ok 41 - rounds up[\s\S]*500[\s\S]*of many that pass/;
        expect(toldOf(model).replaceAll('\\n', '\n')).toMatch(first);
        expect(report).toMatch(first);
      },
    );
  });
});
