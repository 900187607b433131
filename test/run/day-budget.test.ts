import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDaySpend, setAside, settleShare, spendPath } from '../../src/memory/day-spend.ts';
import { startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { discard, makeFolder, runAction } from '../harness.ts';
import { play } from './scenario.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const day = Date.parse('2026-11-21T12:00:00Z');
const share = { run: 'a', max: 2, cap: 5, nowMs: day };

describe('the cost of a day', () => {
  it('is set aside, settled, and forgotten after a week', () => {
    const old = new Map([
      ['spend/2026-11-01.json', '{}'],
      ['spend/2026-11-15.json', '{}'],
    ]);
    const first = setAside(old, share);
    expect(first.refused).toBeNull();
    expect([...first.edits.keys()]).toEqual(['spend/2026-11-21.json', 'spend/2026-11-01.json']);
    const files = new Map([[spendPath(day), String(first.edits.get(spendPath(day)))]]);
    expect(parseDaySpend(files.get(spendPath(day)))).toEqual({ a: 2 });
    const settled = settleShare(files, { run: 'a', cost: 0.5, nowMs: day });
    expect(parseDaySpend(settled.get(spendPath(day)))).toEqual({ a: 0.5 });
    expect(settleShare(files, { run: 'stranger', cost: 1, nowMs: day }).size).toBe(0);
  });

  it.each([
    [{ b: 3 }, null],
    [{ b: 3.1 }, '3.1000 of 5'],
    [{ b: 1, c: 2.5 }, '3.5000 of 5'],
  ])('with %j before', (runs, refused) => {
    const files = new Map([[spendPath(day), JSON.stringify({ version: 1, runs })]]);
    const answer = setAside(files, share);
    if (refused === null) expect(answer.refused).toBeNull();
    else expect(answer.refused).toContain(refused);
    expect(answer.edits.size).toBe(refused === null ? 1 : 0);
  });

  it('that cannot be read lets nothing start', () => {
    const answer = setAside(new Map([[spendPath(day), '{"version":1,"runs":{"b":"x"}}']]), share);
    expect(answer.refused).toContain('cannot be parsed');
  });
});

describe('limits.costPerDay', () => {
  const config = (costPerDay: number) => ({
    '.photon/config.json': JSON.stringify({
      limits: { costPerDay },
      model: { prices: { double: { input: 1, output: 1 } } },
    }),
  });

  it('lets runs start while there is room, and says when there is none', async () => {
    const github = await startGitHub({ seed: { ...sampleFiles, ...config(1) } });
    const workspace = join(folder, 'room');
    github.clone(workspace);
    const run = async (maxCost: string) => {
      const model = await startModel(repairScript);
      const inputs = { task: sampleTask, 'max-cost': maxCost };
      const result = await runAction({ github, modelUrl: model.url, workspace, inputs });
      await model.close();
      return { ...result.outcome, asked: model.requests.length };
    };
    try {
      const first = await run('0.9');
      expect(first).toMatchObject({ status: 'committed' });
      // settled: the whole share was set aside, a small part of it was spent
      const second = await run('0.9');
      expect(second).toMatchObject({ status: 'committed' });
      const third = await run('1');
      expect(third).toMatchObject({ status: 'abstained', code: 'BUDGET_DAY', asked: 0 });
      expect(github.violations).toEqual([]);
    } finally {
      await github.close();
    }
  });

  it('needs a bound for each run', async () => {
    await play({ script: repairScript, files: config(1) }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'SETTING_INVALID' });
      expect(outcome.message).toContain('max-cost');
      expect(model.requests).toHaveLength(0);
    });
  });
});
