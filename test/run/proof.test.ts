/** What the pull request and the outcome say of a patch that passes: by line, by hunk, by small changes. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/base/outcome.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import type { ScriptedTurn } from '../doubles/model.ts';
import { activate, planOf, turnOf } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { play, type Scenario } from './scenario.ts';

const manifest = JSON.stringify({ type: 'module', scripts: { test: 'node --test' } });
const shop = `/** The price of an order. */
export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0);
}

/** True for a free delivery. */
export function shipsFree(sum) {
  return sum > 50;
}

export function label(sum) {
  return 'sum: ' + sum;
}
`;
const tests = `import assert from 'node:assert/strict';
import test from 'node:test';
import { shipsFree, total } from '../src/shop.js';
test('counts each piece', () => {
  assert.equal(total([{ price: 10, count: 3 }]), 30);
});
test('a small order pays for its delivery', () => {
  assert.equal(shipsFree(10), false);
});
`;

const files = {
  'package.json': manifest,
  'src/shop.js': shop,
  'test/shop.test.js': tests,
  'test/price.test.js': '// the sample has another test here\n',
};
const task = 'total in src/shop.js forgets the count. Make the failing test pass.';

/** A model that replaces lines of files, verifies and ends. */
function edits(
  changes: readonly { path: string; start: number; end: number; content: string }[],
  lines: number,
): readonly ScriptedTurn[] {
  const call = (name: string, args: object) => ({ name, arguments: args });
  const paths = [...new Set(changes.map(c => c.path))];
  return [
    turnOf(
      'The skill and the plan come first.',
      activate('test-repair'),
      planOf(paths, lines, 'total'),
    ),
    turnOf(
      'Now the places.',
      call('grep', { pattern: 'total' }),
      call('read_code_block', {
        requests: paths.map(file_path => ({ file_path, start_line: 1, end_line: 14 })),
      }),
    ),
    turnOf(
      'The count was forgotten.',
      call('apply_patch', {
        files: paths.map(path => ({
          path,
          edits: changes
            .filter(c => c.path === path)
            .map(c => ({ start_line: c.start, end_line: c.end, content: c.content })),
        })),
      }),
    ),
    turnOf('The tests decide.', call('verify', {})),
    turnOf('They pass.', call('finish', { reason: 'the tests pass' })),
  ];
}

const source = (start: number, content: string) => ({
  path: 'src/shop.js',
  start,
  end: start,
  content,
});
const repair = source(3, '  return items.reduce((sum, item) => sum + item.price * item.count, 0);');
const config = { verify: { budgetSeconds: 60 } };
const proofOf = ({ verification }: Outcome) => verification?.proof ?? expect.fail('no proof');

describe('the proof of a patch', () => {
  it('tells decided lines from lines that nothing checks, and names what no test notices', async () => {
    const script = edits(
      [repair, source(8, '  return sum >= 50;'), source(12, "  return 'total: ' + sum;")],
      6,
    );
    const other = tests
      .replace('counts each piece', 'counts each piece of an order')
      .replace(/assert\.equal\((.*), 30\);/, 'assert.ok($1 === 30);');
    const both = { ...files, 'test/price.test.js': other };
    await play({ script, files: both, task, config }, ({ outcome, github, log }) => {
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
        /variants? of the changed lines, \d+ would pass, too.* `src\/shop\.js:8`/,
      );
    });
  });

  it('with verify: decided, refuses a line that no test decides, and the model hears which', async () => {
    const script = [
      ...edits([repair, source(12, "  return 'total: ' + sum;")], 4).slice(0, -1),
      turnOf('The label stays as it was.', {
        name: 'apply_patch',
        arguments: {
          files: [
            {
              path: 'src/shop.js',
              edits: [{ start_line: 12, end_line: 12, content: "  return 'sum: ' + sum;" }],
            },
          ],
        },
      }),
      turnOf('The tests decide once more.', { name: 'verify', arguments: {} }),
      turnOf('They pass with the patch.', { name: 'finish', arguments: { reason: 'it passes' } }),
    ];
    await play(
      { script, files, task, config, inputs: { verify: 'decided' } },
      ({ outcome, model, log }) => {
        expect(outcome.status, log).toBe('committed');
        expect(JSON.stringify(model.requests.map(r => r.body.messages))).toContain(
          'src/shop.js:12-12 unexecuted',
        );
        expect(proofOf(outcome).counts).toMatchObject({ decided: 1, unexecuted: 0 });
      },
    );
  });
});

describe('with verify: decided, on a base that moved while the run worked', () => {
  /** The run, with a push to main as its last reply is asked for. */
  const meanwhile = (pushed: Record<string, string>): Scenario => {
    const script = edits([repair], 2);
    let double: GitHubDouble | undefined;
    return {
      files,
      task,
      config,
      inputs: { verify: 'decided' },
      arrange: github => {
        double = github;
      },
      script: (_body, index) => {
        if (index === script.length - 1) double?.store.push('main', pushed);
        return script[index] ?? { status: 400 };
      },
      reapplied: true,
      movesBase: true,
    };
  };

  it.runIf(playsVariants)('refuses a patch that no test decides any more', async () => {
    const weaker = tests.replace('assert.equal(total([{ price: 10, count: 3 }]), 30);', '');
    await play(meanwhile({ 'test/shop.test.js': weaker }), ({ outcome, github, log }) => {
      expect(outcome, log).toMatchObject({ status: 'rolled_back', code: 'VERIFY_UNPROVEN' });
      expect(outcome.verification).toMatchObject({ passed: false, code: 'VERIFY_UNPROVEN' });
      expect(github.state.pulls.size).toBe(0);
    });
  });

  it('does not begin without time for the proof', async () => {
    const inputs = { verify: 'decided' };
    await play({ script: [], files, task, inputs }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      expect(model.requests).toHaveLength(0);
    });
  });
});
