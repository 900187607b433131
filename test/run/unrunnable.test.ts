/** A test command that cannot run ends a run before a model is paid, or as soon as the baseline shows it. */
import { describe, expect, it } from 'vitest';
import { begin, look, prove, repair, repairScript, sampleFiles } from '../doubles/sample.ts';
import { call, turn } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { play } from './scenario.ts';

// only a patch ends for want of tests
const stalled = { script: [begin, look, repair, { stall: true } as const] };
const inputs = { 'test-command': 'sh check' };
const files = { check: 'echo first; no-such-runner --all\n' };

describe('a test command that cannot run', () => {
  it('is refused before the first request if a program is missing', async () => {
    const files = { 'package.json': '{"scripts":{"test":"no-such-runner"}}\n' };
    await play({ script: repairScript, files }, ({ outcome, model, summary }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'TEST_COMMAND_UNRUNNABLE' });
      expect(outcome.message).toContain('starts "no-such-runner", which is not installed');
      expect(summary).toContain('set setup-command to "npm install"');
      expect(model.requests).toHaveLength(0);
    });
  });

  it('gives way to another one of the project if it runs no test case', async () => {
    const files = {
      'package.json': '{"scripts":{"test":"echo no tests ran in 0.01s"}}\n',
      Makefile: '.PHONY: test\ntest:\n\tnode --test\n',
    };
    await play({ script: repairScript, files }, ({ outcome, log }) => {
      expect(outcome.status).toBe('committed');
      expect(outcome.verification?.baseline?.command).toBe('make test');
      expect(log).toContain(
        '"npm test" ran no test case (no tests ran in 0.01s), so it is not the tests. "make test" is tried.',
      );
    });
  });

  it.runIf(playsVariants)(
    'is found from the tests beside a package.json that is no JSON, which is named',
    async () => {
      const files = { 'package.json': '{"scripts": {"test": "node --test",}}\n' };
      await play({ script: repairScript, files }, ({ outcome, log }) => {
        expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
        expect(outcome.verification?.baseline?.command).toBe('node --test');
        expect(log).toContain('package.json is not valid JSON, so its scripts are unknown');
      });
    },
  );

  it('cancels the run of a patch when the baseline ends with 127 and no case', async () => {
    await play({ ...stalled, inputs, files }, ({ outcome, summary, model }) => {
      expect(JSON.stringify(model.requests[0]?.body)).toContain(
        'ended with exit status 127 before a test ran',
      );
      expect(outcome).toMatchObject({ status: 'failed', code: 'TEST_COMMAND_UNRUNNABLE' });
      expect(outcome.message).toMatch(
        /exit status 127 before a test ran:\nfirst\n.*no-such-runner/,
      );
      expect(summary).toContain('Install no-such-runner in a step before Photon');
    });
  });

  // the task speaks of a failing test, so the tests have ended before the first request
  it.each([
    [
      'an answer',
      'answered',
      turn('finish', { reason: 'all was seen', answer: 'It divides by 10.' }),
    ],
  ])('ends no run with %s', async (_name, status, last) => {
    const grep = call('grep', { pattern: 'discountUnit' });
    const script = [begin, { ...look, calls: [grep, ...(look.calls ?? [])] }, prove, last];
    await play({ script, inputs, files }, ({ outcome, model }) => {
      expect(outcome.status, outcome.message).toBe(status);
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(
        'There is no patch, so nothing was verified. Without a patch, the test command',
      );
    });
  });

  it.runIf(playsVariants)(
    'is told once, when it is known, where the task speaks of no test',
    async () => {
      const task = 'Correct the discount.';
      // the results of look are there when the tests have ended
      const script = [begin, look, prove, turn('abstain', { reason: 'No skill fits.' })];
      await play({ script, inputs, files, task }, ({ model }) => {
        const [first, ...others] = model.requests.map(r => JSON.stringify(r.body));
        const words = /Without a patch, the test command/g;
        expect(first).not.toMatch(words);
        // once by itself, and once as what verify answers
        expect(others.at(-1)?.match(words)).toHaveLength(2);
      });
    },
  );

  it('is not one whose tests ran before a program was missing', async () => {
    const check = `echo '1..1'; if ${JSON.parse(sampleFiles['package.json'] ?? '').scripts.test}; then echo 'ok 1 - a'; else echo 'not ok 1 - a'; no-such-runner; fi\n`;
    await play({ script: repairScript, inputs, files: { check } }, ({ outcome }) => {
      expect(outcome.verification?.baseline?.exitCode).toBe(127);
      expect(outcome.status).toBe('committed');
    });
  });
});
