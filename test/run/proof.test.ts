/** What the pull request and the outcome say of a patch that passes: by line, by hunk, by small changes. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import {
  edit,
  editScript,
  patchOf,
  rightEdit,
  shopFiles,
  shopTask,
  shopTests,
} from '../doubles/shop.ts';
import { call, turnOf } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { meanwhile, play } from './scenario.ts';

const common = { files: shopFiles, task: shopTask, config: { verify: { budgetSeconds: 60 } } };
const inputs = { verify: 'decided' };
const proofOf = ({ verification }: Outcome) => verification?.proof ?? expect.fail('no proof');

describe('the proof of a patch', () => {
  it('tells decided lines from lines that nothing checks, and names what no test notices', async () => {
    const script = editScript([
      rightEdit,
      edit(8, '  return sum >= 50;'),
      edit(12, "  return 'total: ' + sum;"),
    ]);
    const other = shopTests
      .replace('counts each piece', 'counts each piece of an order')
      .replace(/assert\.equal\((.*), 30\);/, 'assert.ok($1 === 30);');
    const files = { ...shopFiles, 'test/price.test.js': other };
    await play({ script, ...common, files }, ({ outcome, github, log }) => {
      expect(outcome.status, log).toBe('committed');
      const proof = proofOf(outcome);
      expect(proof.cut).toBe('');
      expect(proof.lines).toEqual([
        { path: 'src/shop.js', start: 3, end: 3, shows: 'decided' },
        { path: 'src/shop.js', start: 8, end: 8, shows: expect.stringMatching(/decided|executed/) },
        { path: 'src/shop.js', start: 12, end: 12, shows: 'unexecuted' },
      ]);
      expect(proof.hunks).toMatchObject({ total: 3, tried: 3 });
      expect(proof.hunks.notNeeded.map(h => h.start)).toEqual([8, 12]);
      // the order of exactly 50 is in no test
      expect(proof.mutants.survived.map(m => m.after)).toContain('return sum > 50;');
      const body = [...github.state.pulls.values()][0]?.body ?? '';
      expect(body).toMatch(
        /(Tests decide \d|No test decides any|Photon can(not)? judge (any|\d)) of (the )?3 changed lines of code|For each of the 3 changed lines/,
      );
      expect(body).toContain('**No test runs 1**');
      expect(outcome.verification?.repaired).toEqual({ cases: 2, dependent: 1 });
      expect(body).toContain(
        'Of 2 repaired test cases, 1 fails where other values are expected, and 1 is not shown to depend on the values.',
      );
      expect(body).toContain('The tests end the same without 2 of 3 hunks');
      expect(body).toMatch(
        /variants? of the changed lines, \d+ would pass the tests, too.* `src\/shop\.js:8`/,
      );
    });
  });

  it('with verify: decided, refuses a line that no test decides, and the model hears which', async () => {
    const script = [
      ...editScript([rightEdit, edit(12, "  return 'total: ' + sum;")]).slice(0, -1),
      turnOf('The label stays as it was.', patchOf([edit(12, "  return 'sum: ' + sum;")])),
      turnOf('The tests decide once more.', call('verify', {})),
      turnOf('They pass with the patch.', call('finish', { reason: 'it passes' })),
    ];
    await play({ script, ...common, inputs }, ({ outcome, model, log }) => {
      expect(outcome.status, log).toBe('committed');
      expect(JSON.stringify(model.requests.map(r => r.body.messages))).toContain(
        'src/shop.js:12-12 unexecuted',
      );
      expect(proofOf(outcome).counts).toMatchObject({ decided: 1, unexecuted: 0 });
    });
  });
});

describe('with verify: decided, on a base that moved while the run worked', () => {
  it.runIf(playsVariants)('refuses a patch that no test decides any more', async () => {
    const weaker = shopTests.replace('assert.equal(total([{ price: 10, count: 3 }]), 30);', '');
    const moved = meanwhile(
      g => g.store.push('main', { 'test/shop.test.js': weaker }),
      editScript([rightEdit]),
    );
    const scenario = { ...moved, ...common, inputs, reapplied: true, movesBase: true };
    await play(scenario, ({ outcome, github, log }) => {
      expect(outcome, log).toMatchObject({ status: 'rolled_back', code: 'VERIFY_UNPROVEN' });
      expect(outcome.verification).toMatchObject({ passed: false, code: 'VERIFY_UNPROVEN' });
      expect(github.state.pulls.size).toBe(0);
    });
  });

  it('does not begin without time for the proof', async () => {
    await play({ script: [], files: shopFiles, task: shopTask, inputs }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      expect(model.requests).toHaveLength(0);
    });
  });
});
