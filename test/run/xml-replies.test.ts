import { describe, expect, it } from 'vitest';
import { codes } from '../../src/base/codes.ts';
import type { ScriptedTurn } from '../doubles/model.ts';
import { repairScript } from '../doubles/sample.ts';
import { xmlText } from '../doubles/xml-text.ts';
import { canary } from '../harness.ts';
import { sample } from '../seed.ts';
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

  const endings: readonly (readonly [string, string])[] = [
    ['LIBRARIAN_PROTOCOL_INVALID', '<grep><pattern>x</grep></pattern>'],
    ['LIBRARIAN_PARSE_FAILED', '<grep></grep>'],
    ['XML_UNKNOWN_TAG', '<launch_missiles></launch_missiles>'],
    ['XML_UNKNOWN_TAG', 'Then <launch_missiles><at>all</at></launch_missiles>'],
    ['XML_DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><grep><pattern>&b;</pattern></grep>'],
    ['XML_CHARACTER', '<grep><pattern>\0</pattern></grep>'],
    ['XML_TOO_LARGE', `<grep><pattern>${'x'.repeat(10_000_000)}`],
  ];

  it.each(sample('endings', endings, 1))(
    '%s: the run fails with it after two repairs',
    async (code, text) => {
      await play(
        { script: [bad(text), bad(text), bad(text), ...repairScript], config },
        ({ outcome, model, rejected, ledger, kept }) => {
          expect(outcome).toMatchObject({
            status: 'failed',
            code,
            usage: { toolCalls: 0, rounds: 3 },
          });
          expect(outcome.hint).toBe(codes[code as keyof typeof codes].hint);
          expect(outcome.message).toMatch(/after 2 repairs: line \d+, column \d+/);
          expect(model.requests).toHaveLength(3);
          expect(ledger.filter(e => e.call !== undefined)).toEqual([]);
          expect(rejected.split('\n').filter(Boolean)).toHaveLength(3);
          expect(kept.length).toBeLessThan(12_000_000);
        },
      );
    },
  );

  it('is kept for an audit without the secrets of the run', async () => {
    const text = `<grep><pattern>${canary}</pattern>`;
    await play({ script: [bad(text), ...repairScript], config }, ({ rejected, outcome }) => {
      expect(outcome.status).toBe('committed');
      expect(rejected).toContain('<grep><pattern>');
      expect(rejected).not.toContain(canary);
    });
  });

  it('counts as a round, so that repairs end with the budget', async () => {
    const script = () => bad('<grep></grep>');
    await play({ script, config, inputs: { 'max-rounds': '2' } }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'BUDGET_ROUNDS' });
    });
  });

  it('a reply that reached its token limit is repaired, too', async () => {
    const [first, ...rest] = repairScript as [ScriptedTurn, ...ScriptedTurn[]];
    const cut = { text: asText(first).slice(0, -20), finish: 'length' };
    await play({ script: [cut, first, ...rest], config }, ({ outcome }) => {
      expect(outcome.status).toBe('committed');
    });
  });
});
