/** Endings that need more than their kind: what else happened before, and what the run must leave alone. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, repair, repairScript } from '../doubles/sample.ts';
import { call, turn, turnOf } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { opening, play } from './scenario.ts';

describe('a run', () => {
  const answer = '## Suggestions\n\n1. `orderTotal` divides by 10';
  const finish = turn('finish', { reason: 'everything was looked at here', answer });

  it('is no success after a patch that failed the tests and was taken back', async () => {
    const wrong = JSON.parse(JSON.stringify(repair).replace('/ 100', '/ 20'));
    const undo = turnOf('It does not help, so I take it back here.', call('undo', {}));
    const script = [begin, look, wrong, prove, undo, finish];
    await play({ script }, ({ outcome, exitCode }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'PATCH_EMPTY', answer });
      expect(exitCode).toBe(1);
    });
  });

  it('names the refusal of its last patch where the tests fail, and not what the model claims', async () => {
    const outside = turnOf(
      'I change the test, so that it passes.',
      call('apply_patch', { files: [{ path: 'test/new.js', content: 'x' }] }),
    );
    const claim = turn('finish', { reason: 'the failing test passes now' });
    await play({ script: [begin, look, outside, claim] }, ({ outcome, github, log }) => {
      expect(outcome, log).toMatchObject({ status: 'failed', code: 'PATCH_REFUSED' });
      expect(outcome.message).toMatch(
        /^The run changed nothing, though the tests fail\. The last patch of test\/new\.js was refused \(SKILL_GUARD\): /,
      );
      expect(outcome.statement).toBeUndefined();
      expect(JSON.stringify([outcome, github.state])).not.toContain('the failing test passes now');
    });
  });

  it('a finish without verify delivers in one round what the tests prove', async () => {
    await play({ script: [begin, look, repair, done] }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED', decisions: [] });
      expect(outcome.verification).toMatchObject({ passed: true });
      expect(model.requests).toHaveLength(4);
    });
  });

  it.runIf(playsVariants)(
    'committed: a test command that only files show, and the log says which',
    async () => {
      const files = { 'package.json': '{"name":"sample","type":"module"}\n' };
      await play({ script: repairScript, files }, ({ outcome, log }) => {
        expect(outcome.status).toBe('committed');
        expect(log).toContain('Verify: node --test (node --test, from test/price.test.js).');
      });
    },
  );

  it('a cancel while the tests run leaves no process behind', async () => {
    const files = { 'package.json': `{"type":"module","scripts":{"test":"sleep 47110"}}\n` };
    await play(
      {
        files,
        // a task about failing tests would run them before its first request
        task: 'Take the discount in percent.',
        script: [...opening, repair, prove],
        started: child =>
          child.stdout?.on(
            'data',
            chunk => String(chunk).includes('apply_patch: pass') && child.kill('SIGTERM'),
          ),
      },
      async ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'failed', code: 'CANCELLED' });
        expect(
          execFileSync('sh', [
            '-c',
            'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " " | grep -c "sleep 4711[0]" || true',
          ])
            .toString()
            .trim(),
        ).toBe('0');
      },
    );
  });
});
