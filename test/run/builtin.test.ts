/** The embedded engine drives whole runs: no key, no model, real tests in the sandbox. */
import { describe, expect, it } from 'vitest';
import { permit } from '../doubles/events.ts';
import { testedByNode } from '../doubles/sample.ts';
import { call } from '../doubles/steps.ts';
import { type Played, play } from './scenario.ts';

const limitMs = 600_000;
const none = { 'api-key': '', 'base-url': '', model: '' };
const task = 'Make the failing tests pass.';

const javascript = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
  'src/price.js': [
    'export function total(prices) {',
    '  let sum = 0;',
    '  for (let i = 1; i < prices.length; i += 1) sum += prices[i];',
    '  return sum;',
    '}',
    '',
  ].join('\n'),
  'test/price.test.js': [
    "import assert from 'node:assert/strict';",
    "import { describe, it } from 'node:test';",
    "import { total } from '../src/price.js';",
    '',
    "describe('total', () => {",
    "  it('is the sum', () => assert.equal(total([1, 2, 4]), 7));",
    "  it('of one', () => assert.equal(total([3]), 3));",
    "  it('of none', () => assert.equal(total([]), 0));",
    '});',
    '',
  ].join('\n'),
};

/** A fault with one repair. */
const subtracts = {
  ...javascript,
  // the fault is far from the first suspicious line
  'src/price.js': [
    "export const unit = 'EUR';",
    ...Array.from({ length: 70 }, () => '//'),
    'export const total = prices => prices.reduce((a, b) => a - b, 0);',
    '',
  ].join('\n'),
  // nor is the difference without its sign the sum
  'test/price.test.js': javascript['test/price.test.js'].replace(
    '});\n',
    "  it('of a refund', () => assert.equal(total([-3, 1]), -2));\n});\n",
  ),
};

/** Expects a repair in the outcome and in the pull request. */
function expectRepaired({ outcome, model, github }: Played): void {
  expect(outcome).toMatchObject({ status: 'committed', engine: 'builtin', model: 'builtin' });
  expect(model.requests).toEqual([]);
  expect(outcome.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  const [pull] = github.state.pulls.values();
  expect(pull?.body).toContain('<summary>How it was found</summary>');
  expect(pull?.body).toContain('| suspected line | suspicion |');
  expect(pull).toMatchObject({ draft: true });
  const plain = pull?.body.replace(/\\(\p{P})/gu, '$1');
  expect(plain).toContain('found by search, not by understanding');
  expect(plain).not.toMatch(/Ochiai|TBar/);
  expect(outcome.repair?.tried).toBeGreaterThan(0);
}

describe('the embedded engine', () => {
  it(
    'is used without a key, and repairs JavaScript through guard and verification',
    async () => {
      await play({ script: [], files: subtracts, inputs: none, task }, played => {
        expectRepaired(played);
        expect(played.patch).toContain(
          '+export const total = prices => prices.reduce((a, b) => a + b, 0);',
        );
        const tools = played.ledger.map(e => e.tool);
        for (const tool of [
          'plan',
          'list_project_files',
          'read_code_block',
          'apply_patch',
          'verify',
          'finish',
        ])
          expect(tools).toContain(tool);
        expect(played.outcome.decisions).toEqual([]);
        expect(played.outcome.patch.files.map(f => f.path)).toEqual(['src/price.js']);
        expect(played.log).toMatch(
          /Repair: tried \d+ candidates \(\d+ per second\); \d+ pass all tests\./,
        );
      });
    },
    limitMs,
  );

  it(
    'abstains if edits of different meaning pass, and shows them',
    async () => {
      const files = {
        'src/price.js':
          'export function fee(total) {\n  return total < 100 ? total - 10 : total;\n}\n',
        'test/price.test.js': [
          "import assert from 'node:assert/strict';",
          "import test from 'node:test';",
          "import { fee } from '../src/price.js';",
          '',
          "test('much', () => assert.equal(fee(200), 190));",
          "test('more', () => assert.equal(fee(300), 290));",
          "test('little', () => assert.equal(fee(50), 50));",
          '',
        ].join('\n'),
      };
      await play(
        { script: [], files: { ...javascript, ...files }, inputs: none, task },
        ({ outcome, patch, log }) => {
          expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
          expect(outcome.statement).toMatch(/\d+ of different meaning pass all tests/);
          const [first, second] = outcome.repair?.alternatives ?? [];
          for (const edit of [first, second])
            expect(edit?.after).toMatch(/^ {2}return total >=? .* \? total - 10 : total;$/);
          expect(first).not.toEqual(second);
          expect(outcome.repair).not.toHaveProperty('edit');
          expect(patch).toBe('');
          expect(log).toMatch(/Repair: \d+ candidates tried \(\d+ per second\); 1 pass\./);
        },
      );
    },
    limitMs,
  );

  it(
    'names a missing package instead of searching',
    async () => {
      const test = (javascript['test/price.test.js'] ?? '').replace(/^/, "import 'left-pad';\n");
      const files = { ...javascript, 'test/price.test.js': test };
      await play({ script: [], files, inputs: none, task }, ({ outcome, log }) => {
        expect(outcome).toMatchObject({
          status: 'abstained',
          code: 'ABSTAINED',
          engine: 'builtin',
        });
        expect(outcome.statement).toMatch(/The package "left-pad" is not installed\. Install/);
        expect(outcome.statement).not.toContain('For other tasks');
        expect(log).not.toContain('candidates');
      });
    },
    limitMs,
  );
});

describe('a task for the embedded engine', () => {
  /** The sample, with tests that leave one edit. */
  const other = {
    script: [],
    files: testedByNode,
    inputs: none,
    task: '',
    arrange: permit,
    unpublished: true,
  };

  /** Expects neither branch nor pull request, and a reply that says what to request instead. */
  function expectRefused({ outcome, github, model, ledger, patch }: Played): void {
    expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED', engine: 'builtin' });
    expect(outcome.statement).toContain(
      'The embedded engine only repairs failing tests. For other tasks, set `model` and `api-key`, or at a terminal `PHOTON_MODEL` and `PHOTON_API_KEY`.',
    );
    expect(outcome).not.toHaveProperty('repair');
    expect(model.requests).toEqual([]);
    expect(ledger.filter(e => e.call !== undefined).map(e => e.tool)).toEqual(['abstain']);
    expect(patch).toBe('');
    expect(github.state.pulls.size).toBe(0);
  }

  it(
    'is refused if it is not about a failing test: nothing is written, and the reply names the test',
    async () => {
      const options = { ...other, arrange: () => {}, task: 'Greet the visitors on the front page' };
      await play(options, played => {
        expectRefused(played);
        expect(played.outcome.statement).toContain('a discount is taken off in percent');
        expect(played.outcome.statement).toContain('In this repository, 1 of 2 tests fails');
        expect(played.github.writes()).toEqual([]);
      });
      const leave =
        'The failing test expects the wrong result. Fix it, leave src/price.js as it is.';
      await play({ ...other, arrange: () => {}, task: leave }, ({ outcome, ledger, patch }) => {
        expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
        expect(outcome.statement).toContain('The task wants the code to stay as it is');
        expect(ledger.filter(e => e.call !== undefined).map(e => e.tool)).toEqual(['abstain']);
        expect(patch).toBe('');
      });
    },
    limitMs,
  );
});

it(
  'a model that is asked to repair failing tests begins with what they print, and waits for no search',
  async () => {
    const giveUp = { calls: [call('abstain', { reason: 'No.' })] };
    await play({ script: [giveUp], files: javascript, task }, ({ model, log }) => {
      const shown = JSON.stringify(model.requests[0]);
      expect(shown).toContain('What the test command prints before a change');
      expect(shown).toMatch(/Failed: [^\n]*is the sum/);
      expect(shown).toContain('expected: 7');
      expect(log).not.toContain('candidates');
    });
  },
  limitMs,
);
