/** What the outcome reads from the entries of a ledger, and how differences are named. */
import { expect, it } from 'vitest';
import {
  countDecisions,
  deriveOutcome,
  isDegraded,
  listDifferences,
  readUsage,
} from '../../src/audit/derive-outcome.ts';
import type { LedgerEntry } from '../../src/ledger/ledger.ts';

const entry = (more: Partial<LedgerEntry>) =>
  ({
    seq: 1,
    run: 'r',
    caller: 'c',
    phase: 'PLAN',
    decision: 'pass',
    code: null,
    paths: [],
    ...more,
  }) as LedgerEntry;
const call = {} as LedgerEntry['call'];
const refused = (tool: string) =>
  entry({ tool, call, decision: 'abstain', severity: 'correct', code: 'STALE_READ', section: '6' });

it('decisions are counted by code and tool, and odd names of tools are not kept', () => {
  const entries = [refused('patch'), refused('patch'), refused('none'), refused('Bad Name\n')];
  expect(countDecisions(entries).map(d => [d.tool, d.count])).toEqual([
    ['patch', 2],
    ['none', 1],
    ['unknown', 1],
  ]);
  expect(isDegraded(entries)).toBe(false);
  expect(isDegraded([entry({ tool: 'grep', call, decision: 'degrade', code: 'INTERNAL' })])).toBe(
    true,
  );
});

it('the usage is that of the replies, and calls that Photon made itself are none of the model', () => {
  const turn = (model: string | undefined, tokens: number) =>
    entry({ tool: 'model.turn', facts: { model, inputTokens: tokens, outputTokens: 1 } });
  const entries = [
    turn(undefined, 1_000_000),
    entry({ tool: 'grep', call, facts: { by: 'photon' } }),
    entry({ tool: 'verify', call, facts: { madeFor: 'finish' } }),
    entry({ tool: 'none', call }),
    entry({ tool: 'grep', call }),
    turn('other', 2),
  ];
  const settings = {
    modelPrices: {
      from: 'prices',
      value: { own: { input: 2, output: 0 }, other: { input: 0, output: 0 } },
    },
  };
  expect(readUsage(entries, { model: 'own', settings })).toMatchObject({
    rounds: 2,
    toolCalls: 1,
    inputTokens: 1_000_002,
    outputTokens: 2,
    cost: 2,
    models: [{ model: 'own' }, { model: 'other' }],
  });
});

it('a field that an entry states is the outcome’s, and a later entry counts', () => {
  const entries = [
    entry({ tool: 'verify', call, states: { verification: { passed: false } } }),
    entry({ tool: 'reapply', states: { verification: { passed: true } } }),
    entry({
      tool: 'run.end',
      code: 'COMMITTED',
      facts: { status: 'committed', at: 'COMMIT' },
      states: { notes: ['a'] },
    }),
    entry({ tool: 'run.note', hash: 'h', states: { notes: ['b'] } }),
  ];
  expect(deriveOutcome(entries)).toMatchObject({
    runId: 'r',
    status: 'committed',
    verification: { passed: true },
    notes: ['a', 'b'],
    ledger: { entries: 4, head: 'h' },
  });
});

it('differences are named by their leaf, with both values', () => {
  const stated = { a: { b: [1, 2], c: 'x' }, d: null };
  expect(listDifferences(stated, structuredClone(stated), 'there')).toEqual([]);
  expect(listDifferences(stated, { a: { b: [1, 3, 4], c: 'x' }, e: {} }, 'there')).toEqual([
    'a.b.1: 2, and 3 there',
    'a.b.2: nothing, and 4 there',
    'd: null, and nothing there',
    'e: nothing, and {} there',
  ]);
});
