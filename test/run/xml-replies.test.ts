import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../doubles/model.ts';
import { repairScript } from '../doubles/sample.ts';
import { xmlText } from '../doubles/xml-text.ts';
import { canary } from '../harness.ts';
import { playsVariants } from '../seed.ts';
import { play } from './scenario.ts';

const config = { agent: { profile: 'kjxlkj-agent' } };
const prose = 'I look at the files first, as the pipeline asks.';
const bad = (text: string): ScriptedTurn => ({ text: `${prose}\n${text}` });
const asText = ({ text = '', calls = [] }: ScriptedTurn) => xmlText(text, calls);

describe('a reply in tags that cannot be decoded', () => {
  it('runs nothing, and its repair request shows only the problems and the reply', async () => {
    const [first, ...rest] = repairScript as [ScriptedTurn, ...ScriptedTurn[]];
    const text = asText(first);
    const script = [
      { text: text.replace('</plan>', '') },
      { text: text.replace('<scope>', '<scope><b>') },
      first,
      ...rest,
    ];
    await play({ script, config }, ({ outcome, model, ledger, rejected }) => {
      expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
      expect(outcome.usage).toMatchObject({ rounds: script.length, toolCalls: 7 });
      const bodies = model.requests.map(r => r.body);
      for (const [i, code] of [
        [1, 'XML_CUT'],
        [2, 'XML_MARKUP_IN_TEXT'],
      ] as const) {
        const messages = bodies[i]?.messages ?? [];
        expect(messages.map(m => m.role)).toEqual(['system', 'user']);
        const [system, user] = messages.map(m => String(m.content));
        expect(user).toMatch(new RegExp(`^Problems[^\\n]+\\n\\d+:\\d+ ${code} <\\w+>: `));
        expect(user).toContain(script[i - 1]?.text);
        expect(JSON.stringify([system, user])).not.toContain('Task (requested by');
        expect(system).not.toContain('Constitution');
      }
      expect(String(bodies[3]?.messages[1]?.content)).toContain('Task (requested by');
      const turns = ledger.filter(e => e.tool === 'model.turn');
      expect(turns.map(e => [e.decision, e.code])).toEqual([
        ['abstain', 'XML_CUT'],
        ['abstain', 'XML_MARKUP_IN_TEXT'],
        ...repairScript.map(() => ['pass', null]),
      ]);
      const kept = rejected
        .trim()
        .split('\n')
        .map(l => JSON.parse(l) as { reply: string });
      expect(kept.map(k => k.reply)).toEqual([script[0]?.text, script[1]?.text]);
    });
  });

  it('is kept for an audit without the secrets of the run', async () => {
    const text = `<grep><pattern>${canary}</pattern>`;
    await play({ script: [bad(text), ...repairScript], config }, ({ rejected, outcome }) => {
      expect(outcome.status).toBe('committed');
      expect(rejected).toContain('<grep><pattern>');
      expect(rejected).not.toContain(canary);
    });
  });

  it.runIf(playsVariants)('counts as a round, so that repairs end with the budget', async () => {
    const script = () => bad('<grep></grep>');
    await play({ script, config, inputs: { 'max-rounds': '2' } }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_ROUNDS' });
    });
  });

  it.runIf(playsVariants)('a reply that reached its token limit is repaired, too', async () => {
    const [first, ...rest] = repairScript as [ScriptedTurn, ...ScriptedTurn[]];
    const cut = { text: asText(first).slice(0, -20), finish: 'length' };
    await play({ script: [cut, first, ...rest], config }, ({ outcome }) => {
      expect(outcome.status).toBe('committed');
    });
  });
});
