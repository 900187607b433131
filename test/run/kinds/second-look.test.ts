import { expect, it } from 'vitest';
import { auditLedger } from '../../../src/audit/audit.ts';
import type { ModelStep, ScriptedTurn } from '../../doubles/model.ts';
import { begin, done, look, prove, rightLine, testedByNode } from '../../doubles/sample.ts';
import { replaceLine, say, turn } from '../../doubles/steps.ts';
import { policy as shipped } from '../../guard/policies.ts';
import { type Played, play, type Scenario, toldOf } from '../scenario.ts';

/** The ledgers among the files that a run kept. */
const splitLedgers = (kept: string) =>
  kept
    .split('\n')
    .filter(line => line.startsWith('{"seq":'))
    .join('\n')
    .split(/(?=\{"seq":1,)/)
    .map(text => `${text.trimEnd()}\n`);

const patch = (content: string) => say(replaceLine('src/price.js', 4, content));

/** It passes the tests of the sample, which know a discount of 10 percent alone. */
const wrong = patch('  return Math.round(total * (1 - (discountPercent && 0.1)));');
const right = patch(rightLine);

const testOf = (percent: number, expected: number) => ({
  path: 'test/look.test.js',
  content: [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { orderTotal } from '../src/price.js';",
    `test('another percentage', () => {`,
    `  assert.equal(orderTotal([{ price: 1000, count: 2 }], ${percent}), ${expected});`,
    '});',
    '',
  ].join('\n'),
});

const record = (more: object) =>
  turn('record_finding', {
    path: 'src/price.js',
    start_line: 4,
    severity: 'high',
    problem: 'Every discount counts as 10 percent. @octocat',
    ...more,
  });
const quit = turn('finish', { reason: 'the diff was attacked' });

const twenty = record({ test: testOf(20, 1600) });

const playLook = (
  script: readonly ModelStep[],
  check: (played: Played) => void,
  more: Partial<Scenario> = {},
) =>
  play(
    {
      script,
      files: testedByNode,
      config: { review: { own: true }, verify: { budgetSeconds: 0 } },
      ...more,
    },
    check,
  );

it('goes back to the author with a test that fails, once, and the new patch is looked at again', async () => {
  // a profile without a transcript reads again what it changes
  const script = [begin, look, wrong, prove, twenty, quit, look, right, done, quit];
  await playLook(script, ({ outcome, github, model, kept, log, report, summary }) => {
    expect(outcome).toMatchObject({
      status: 'committed',
      look: { looks: 2, shown: [], unshown: 0 },
    });
    expect(outcome.look?.patchDigest).toBe(outcome.patch.digest);
    expect(model.requests).toHaveLength(script.length);
    // the author hears of the fault and its test; who looks has no word of the author
    const [author, looker] = [model.requests[6], model.requests[4]].map(r =>
      JSON.stringify(r?.body),
    );
    expect(author).toContain('Every discount counts as 10 percent');
    expect(author).toContain('another percentage');
    expect(looker).toContain('Another agent has made the diff');
    expect(looker).not.toContain(begin.text);
    expect(author).toContain('Usual order: skill_activate');
    expect(looker).not.toMatch(/Usual order|"name":"(?:plan|skill_activate)"/);
    expect(log).toMatch(/Second look 1, round 2\n[\s\S]*Second look 1: a test shows 1 fault\.\n/);
    expect(log).toContain('Second look 2, round 1\n');
    // its tokens are in the bill, and its rounds are not the run's
    expect(outcome.usage.rounds).toBe(script.length - 3);
    const [pull] = github.state.pulls.values();
    expect(pull?.draft).toBe(false);
    for (const text of [pull?.body, report, summary])
      expect(text).toContain(
        'A second look at this patch, in a conversation of its own, showed no fault. What the look before it showed no longer fails.',
      );
    const ledgers = splitLedgers(kept);
    expect(ledgers).toHaveLength(3);
    for (const text of ledgers)
      expect(auditLedger(text, { shipped, complete: true }).finding).toBeUndefined();
  });
});

it('shows people a fault that the author keeps, in a draft with its test', async () => {
  await playLook(
    [begin, look, wrong, done, twenty, quit, done],
    ({ outcome, github, report, summary }) => {
      expect(outcome).toMatchObject({
        status: 'committed',
        look: { shown: [{ proof: { kind: 'test', base: 'fails-otherwise' } }] },
      });
      const [pull] = github.state.pulls.values();
      expect(pull?.draft).toBe(true);
      expect(pull?.body.split('\n')[0]).toMatch(
        /^\*\*A test of a second look fails with the patch\*\*, at `src\/price\.js:4` \(its test: `test\/look\.test\.js`\)\. In the agent's words, not verified: Every discount counts/,
      );
      for (const text of [pull?.body, report, summary])
        expect(text).toMatch(/test\((?:'|&#39;)another percentage/);
    },
  );
});

it('tells nobody what no test shows: off the diff, without a test, or with one that fails alike on the base or otherwise each time', async () => {
  const alike = record({
    test: {
      path: 'test/x.test.js',
      content:
        "import test from 'node:test';\ntest('it always throws', () => { throw new Error('always'); });\n",
    },
  });
  const byChance = record({
    test: {
      path: 'test/y.test.js',
      content:
        "import test from 'node:test';\ntest('it throws by chance', () => { throw new Error(String(process.hrtime.bigint())); });\n",
    },
  });
  const none = [record({ start_line: 9, test: testOf(20, 1600) }), record({}), alike, byChance];
  await playLook([begin, look, right, done, ...none, quit, done], ({ outcome, github, model }) => {
    expect(outcome).toMatchObject({ status: 'committed', look: { looks: 1, shown: [] } });
    expect(outcome.look?.unshown).toBeGreaterThan(0);
    const [pull] = github.state.pulls.values();
    expect(pull?.draft).toBe(false);
    expect(pull?.body).not.toContain('10 percent');
    expect(toldOf(model)).not.toContain('A second look found faults');
  });
});

it('holds up no delivery when its model fails, and asks the model that the settings name', async () => {
  await playLook(
    [
      begin,
      look,
      right,
      prove,
      { status: 404, body: { error: { code: 'model_not_found', message: 'no such model' } } },
      done,
    ],
    ({ outcome, model }) => {
      expect(outcome).toMatchObject({
        status: 'committed',
        look: { looks: 1, shown: [], cut: 'MODEL_NOT_FOUND' },
      });
      expect(model.requests[4]?.body.model).toBe('another-model');
      expect(model.requests[5]?.body.model).not.toBe('another-model');
    },
    { config: { review: { own: true, model: 'another-model' }, verify: { budgetSeconds: 0 } } },
  );
});

it('leaves the run half of its tokens, whatever its model takes', async () => {
  const large = (turn: ScriptedTurn) => ({
    ...turn,
    usage: { prompt_tokens: 20_000, completion_tokens: 100 },
  });
  const rounds = [record({}), record({}), record({})].map(large);
  await playLook(
    [begin, look, right, prove, ...rounds, done],
    ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'committed', look: { cut: 'BUDGET_TOKENS' } });
    },
    { inputs: { 'max-tokens': '100000' } },
  );
});

it('shows people the fault where the author has no round left to correct it', async () => {
  const script = [begin, look, wrong, done, twenty, quit];
  await playLook(
    script,
    ({ outcome, github }) => {
      expect(outcome).toMatchObject({ status: 'committed', look: { shown: [{}] } });
      expect(outcome.notes.join()).toContain('(BUDGET_ROUNDS)');
      expect([...github.state.pulls.values()][0]?.draft).toBe(true);
    },
    { inputs: { 'max-rounds': '4' } },
  );
});

it('does not say of a patch on a moved base that it was looked at there', async () => {
  let double: Played['github'] | undefined;
  const steps = [begin, look, right, done, quit];
  await playLook(
    [],
    ({ outcome, github }) => {
      expect(outcome).toMatchObject({ status: 'committed', look: { looks: 1 } });
      expect(outcome.look?.patchDigest).not.toBe(outcome.patch.digest);
      expect([...github.state.pulls.values()][0]?.body).toContain(
        'A second look at an earlier form of this patch',
      );
    },
    {
      arrange: github => {
        double = github;
      },
      script: (_body, index) => {
        if (index === 4) double?.store.push('main', { 'new.txt': 'x\n' });
        return steps[index] ?? { status: 400 };
      },
      movesBase: true,
      reapplied: true,
    },
  );
});
