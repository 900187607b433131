import { describe, expect, it } from 'vitest';
import type { ModelStep, ScriptedTurn } from '../doubles/model.ts';
import { repairScript } from '../doubles/sample.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const config = (model: object) => ({ '.photon/config.json': JSON.stringify({ model }) });

const usage = {
  prompt_tokens: 1000,
  completion_tokens: 10,
  prompt_tokens_details: { cached_tokens: 750 },
};
const turns: readonly ScriptedTurn[] = repairScript.map(turn => ({ ...turn, usage }));

/** Plays the turns for the models that work; `gone` answers every request of `double` from a round on. */
function goneAfter(rounds: number, gone: ModelStep) {
  let played = 0;
  return (body: { readonly model: string }): ModelStep => {
    if (body.model === 'double' && played >= rounds) return gone;
    return turns[played++] ?? { status: 400 };
  };
}

const missing = {
  status: 404,
  body: { error: { message: 'The model `double` does not exist', code: 'model_not_found' } },
};

describe('a model that is gone', () => {
  it.each(
    sample(
      'models that are gone',
      [
        ['before the first reply', 0, missing, 'MODEL_NOT_FOUND'],
        ['in the middle of the run', 2, missing, 'MODEL_NOT_FOUND'],
      ],
      1,
    ),
  )('%s is followed by the next one, which ends the run', async (_when, rounds, step, code) => {
    const model = {
      fallbacks: ['second'],
      prices: {
        double: { input: 100, output: 100 },
        second: { input: 10, cached: 1, output: 10 },
      },
    };
    await play(
      {
        script: goneAfter(rounds, step) as never,
        files: config(model),
        inputs: { 'max-cost': '50' },
      },
      ({ outcome, summary, log, ledgerText, model: endpoint }) => {
        expect(outcome.status).toBe('committed');
        const note = `The model double is gone (${code}); second took over.`;
        expect(outcome.notes).toContain(note);
        expect(log).toContain(note);
        const total = turns.length;
        const second = {
          model: 'second',
          rounds: total - rounds,
          cachedTokens: 750 * (total - rounds),
          priceFrom: 'settings',
        };
        expect(outcome.usage.models).toMatchObject(
          rounds === 0 ? [second] : [{ model: 'double', rounds, priceFrom: 'settings' }, second],
        );
        const [costOfFirst, costOfSecond] = [(1010 * 100) / 1e6, (260 * 10 + 750) / 1e6];
        expect(outcome.usage.cost).toBeCloseTo(
          rounds * costOfFirst + (total - rounds) * costOfSecond,
          9,
        );
        expect(summary).toContain('(75 % from a cache)');
        expect(summary.includes('By model: ')).toBe(rounds > 0);
        expect(ledgerText).toContain('"model":"second"');
        // one request was refused; the next model got the same conversation
        const [asked, repeated] = endpoint.requests.slice(rounds);
        expect(repeated?.body.messages).toEqual(asked?.body.messages);
        expect(endpoint.requests.filter(r => r.body.model === 'double')).toHaveLength(rounds + 1);
      },
    );
  });
});

describe('the price of a model', () => {
  it('is known for those of the list, with its date', async () => {
    const inputs = { model: 'gpt-5.5', 'max-cost': '5' };
    await play({ script: turns, inputs }, ({ outcome }) => {
      const [used] = outcome.usage.models;
      expect(outcome.status).toBe('committed');
      expect(used?.priceFrom).toMatch(/^2026-\d\d-\d\d$/);
      expect(outcome.usage.cost).toBeCloseTo(
        (turns.length * (250 * 5 + 750 * 0.5 + 10 * 30)) / 1e6,
        9,
      );
    });
  });
});
