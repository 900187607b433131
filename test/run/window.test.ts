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

  it('a refused request makes the window smaller, and the run goes on', async () => {
    let refused = 0;
    const limited = (_body: unknown, index: number) => {
      const step = script[index - refused] ?? { status: 400 };
      if (refused > 0 || index < 20) return step;
      refused += 1;
      const message = "This model's maximum context length is 8192 tokens.";
      return { status: 400, body: { error: { message, code: 'context_length_exceeded' } } };
    };
    await play(
      { files: longRunFiles, script: limited as never, inputs: { 'max-rounds': '100' } },
      ({ outcome, model, log }) => {
        expect(outcome.status).toBe('committed');
        expect(log).toContain('the context window is now 8192 tokens');
        for (const { bytes } of model.requests.slice(21))
          expect(bytes / 3).toBeLessThanOrEqual(8192);
      },
    );
  });
});
