import { describe, expect, it } from 'vitest';
import { longRun, longRunFiles } from '../doubles/long-run.ts';
import { play } from './scenario.ts';

const script = longRun(60, 'onward');
const inputs = { 'max-rounds': '100' };
const config = { model: { contextWindow: 8000 } };

describe('a small context window', () => {
  it('a run of 60 calls commits inside 8,000 tokens', async () => {
    await play({ files: longRunFiles, script, config, inputs }, ({ outcome, model, ledger }) => {
      expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      expect(outcome.decisions).toEqual([]);
      for (const { bytes, body } of model.requests) {
        const reply = body.max_tokens ?? Number.NaN;
        // as the endpoint counts
        expect(Math.ceil(bytes / 4) + reply).toBeLessThanOrEqual(8000);
      }
      expect(ledger.some(e => e.tool === 'context.fit')).toBe(true);
    });
  });
});
