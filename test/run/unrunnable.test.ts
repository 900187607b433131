/** A test command that cannot run ends a run before a model is paid, or as soon as the baseline shows it. */
import { describe, expect, it } from 'vitest';
import { begin, repairScript, sampleFiles } from '../doubles/sample.ts';
import { play } from './scenario.ts';

// the tests of the base begin with the plan
const stalled = { script: [begin, { stall: true } as const] };

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

  it('is found from the tests beside a package.json that is no JSON, which is named', async () => {
    const files = { 'package.json': '{"scripts": {"test": "node --test",}}\n' };
    await play({ script: repairScript, files }, ({ outcome, log }) => {
      expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      expect(outcome.verification?.baseline?.command).toBe('node --test');
      expect(log).toContain('package.json is not valid JSON, so its scripts are unknown');
    });
  });

  it('cancels the run when the baseline ends with 127 and no case', async () => {
    const inputs = { 'test-command': 'sh check' };
    const files = { check: 'echo first; no-such-runner --all\n' };
    await play({ ...stalled, inputs, files }, ({ outcome, summary }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'TEST_COMMAND_UNRUNNABLE' });
      expect(outcome.message).toMatch(
        /exit status 127 before a test ran:\nfirst\n.*no-such-runner/,
      );
      expect(summary).toContain('Install no-such-runner in a step before Photon');
    });
  });

  it('is not one whose tests ran before a program was missing', async () => {
    const inputs = { 'test-command': 'sh check' };
    const check = `echo '1..1'; if ${JSON.parse(sampleFiles['package.json'] ?? '').scripts.test}; then echo 'ok 1 - a'; else echo 'not ok 1 - a'; no-such-runner; fi\n`;
    await play({ script: repairScript, inputs, files: { check } }, ({ outcome }) => {
      expect(outcome.verification?.baseline?.exitCode).toBe(127);
      expect(outcome.status).toBe('committed');
    });
  });
});
