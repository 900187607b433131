import { describe, expect, it } from 'vitest';
import {
  parseDayUse,
  setAside,
  settleShare,
  spendPath,
} from '../../src/agent/limits/day-budget.ts';
import { type CommentFields, comment, permit } from '../doubles/events.ts';
import { repairScript } from '../doubles/sample.ts';
import { openGitHub, play, playOn } from './scenario.ts';

const day = Date.parse('2026-11-21T12:00:00Z');
const share = { run: 'a', cost: { max: 2, cap: 5 }, person: undefined, nowMs: day };

describe('the cost of a day', () => {
  it('is set aside, settled, and forgotten after a week', () => {
    const old = new Map([
      ['spend/2026-11-01.json', '{}'],
      ['spend/2026-11-15.json', '{}'],
    ]);
    const first = setAside(old, share);
    expect(first.refused).toBeUndefined();
    expect([...first.edits.keys()]).toEqual(['spend/2026-11-21.json', 'spend/2026-11-01.json']);
    const files = new Map([[spendPath(day), String(first.edits.get(spendPath(day)))]]);
    expect(parseDayUse(files.get(spendPath(day)))).toMatchObject({ runs: { a: 2 }, people: {} });
    const settled = settleShare(files, { run: 'a', cost: 0.5, nowMs: day });
    expect(parseDayUse(settled.get(spendPath(day)))?.runs).toEqual({ a: 0.5 });
    expect(settleShare(files, { run: 'stranger', cost: 1, nowMs: day }).size).toBe(0);
  });

  it.each([
    [{ b: 3 }, null],
    [{ b: 3.1 }, '3.1000 of 5'],
    [{ b: 1, c: 2.5 }, '3.5000 of 5'],
  ])('with %j before', (runs, refused) => {
    const files = new Map([[spendPath(day), JSON.stringify({ version: 1, runs })]]);
    const answer = setAside(files, share);
    if (refused === null) expect(answer.refused).toBeUndefined();
    else expect(answer.refused?.detail).toContain(refused);
    expect(answer.edits.size).toBe(refused === null ? 1 : 0);
  });

  it('that cannot be read lets nothing start', () => {
    const answer = setAside(new Map([[spendPath(day), '{"version":1,"runs":{"b":"x"}}']]), share);
    expect(answer.refused?.detail).toContain('cannot be parsed');
  });
});

describe('the runs of a person on a day', () => {
  const two = { ...share, cost: undefined, person: { login: 'Wendy', cap: 2 } };
  const start = (files: Map<string, string>, run: string, login = 'Wendy', nowMs = day) => {
    const answer = setAside(files, { ...two, run, person: { login, cap: 2 }, nowMs });
    for (const [path, text] of answer.edits) if (text !== undefined) files.set(path, text);
    return answer.refused;
  };

  it('are counted for each login, in any case, and anew every day', () => {
    const files = new Map<string, string>();
    expect(start(files, 'a')).toBeUndefined();
    expect(start(files, 'b', 'wendy')).toBeUndefined();
    expect(start(files, 'c')).toEqual({
      code: 'BUDGET_PERSON',
      detail: 'Wendy has started 2 of 2 runs today.',
    });
    expect(start(files, 'd', 'sid')).toBeUndefined();
    expect(start(files, 'f', 'constructor')).toBeUndefined();
    expect(parseDayUse(files.get(spendPath(day)))?.people).toEqual({
      constructor: 1,
      sid: 1,
      wendy: 2,
    });
    expect(start(files, 'e', 'Wendy', day + 86_400_000)).toBeUndefined();
  });

  it('end a third one before a model is called, and leave those of others alone', async () => {
    const github = await openGitHub({}, { limits: { runsPerPersonPerDay: 1 } });
    permit(github);
    const run = async (fields: CommentFields) => {
      const { outcome, model } = await playOn(github, { event: comment(fields) });
      return { ...outcome, asked: model.requests.length };
    };
    expect(await run({ id: 900 })).toMatchObject({ status: 'committed' });
    const second = await run({ id: 901, number: 6, body: '/photon fix the shipping' });
    expect(second).toMatchObject({ status: 'abstained', code: 'BUDGET_PERSON', asked: 0 });
    github.state.permissions.set('olga', 'write');
    const olga = { login: 'olga', id: 13, type: 'User' } as const;
    const other = await run({ id: 902, number: 6, by: olga });
    expect(other, other.message).toMatchObject({ status: 'committed' });
  });
});

describe('limits.costPerDay', () => {
  const config = {
    limits: { costPerDay: 1 },
    model: { prices: { double: { input: 1, output: 1 } } },
  };

  it('lets runs start while there is room, and says when there is none', async () => {
    const github = await openGitHub({}, config);
    const run = async (maxCost: string) => {
      const { outcome, model } = await playOn(github, { inputs: { 'max-cost': maxCost } });
      return { ...outcome, asked: model.requests.length };
    };
    expect(await run('0.9')).toMatchObject({ status: 'committed' });
    // settled: the whole share was set aside, a small part of it was spent
    expect(await run('0.9')).toMatchObject({ status: 'committed' });
    expect(await run('1')).toMatchObject({ status: 'abstained', code: 'BUDGET_DAY', asked: 0 });
  });

  it('needs a bound for each run', async () => {
    await play({ script: repairScript, config }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      expect(outcome.message).toContain('max-cost');
      expect(model.requests).toHaveLength(0);
    });
  });
});
