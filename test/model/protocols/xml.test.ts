/** Calls become instruction tags, and calls again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeReply, encodeCalls } from '../../../src/model/protocols/xml.ts';
import {
  buildGrammar,
  type Form,
  renderGrammar,
} from '../../../src/model/protocols/xml-grammar.ts';
import type { ToolDefinition, Turn } from '../../../src/model/turn.ts';
import { isAll } from '../../seed.ts';
import { code, grammar, read } from './xml-replies.ts';

const turnOf = (text: string): Turn => ({
  text,
  calls: [],
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1 },
});

const allowed = (text: string) =>
  text.isWellFormed() && !/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/.test(text);

function argsFor(form: Form): fc.Arbitrary<unknown> {
  if (form.kind === 'children') {
    const entries = [...form.children].map(([name, child]) => {
      const one = argsFor(child.form);
      return [name, child.list ? fc.array(one, { minLength: 1, maxLength: 3 }) : one] as const;
    });
    // a required list that may be empty decodes to an empty one
    const needed = [...form.children].filter(([, c]) => c.required || c.mayBeEmpty === true);
    const requiredKeys = needed.map(([name]) => name);
    return fc.record(Object.fromEntries(entries), { requiredKeys, noNullPrototype: true });
  }
  if (form.choices.length > 0) return fc.constantFrom(...form.choices);
  if (form.type === 'boolean') return fc.boolean();
  if (form.type === 'integer') return fc.maxSafeInteger();
  if (form.type === 'number')
    return fc.double({ noNaN: true, noDefaultInfinity: true }).map(n => n + 0);
  if (form.type === 'json') return fc.jsonValue({ maxDepth: 3 }).filter(v => v !== null);
  return code.filter(allowed);
}

const calls = fc.array(
  fc
    .constantFrom(...grammar.values())
    .chain(({ name, form }) => argsFor(form).map(args => ({ name, args }))),
  { minLength: 1, maxLength: 4 },
);

describe('calls as instruction tags', () => {
  it('decode to the calls that were encoded, whatever text they carry', () => {
    fc.assert(
      fc.property(calls, given => {
        const text = `I need this now. It comes next.\n${encodeCalls(given, grammar)}`;
        expect(read(text)).toEqual({
          prose: 'I need this now. It comes next.',
          problems: [],
          instructions: given,
        });
      }),
      { numRuns: isAll ? 2000 : 400 },
    );
  });

  it('every form of a schema can be encoded and decoded', () => {
    const parameters = {
      type: 'object',
      properties: {
        text: { type: ['string', 'null'] },
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        ids: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        size: { type: 'number' },
        on: { type: 'boolean' },
        grid: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        free: { type: 'object' },
        any: {},
        rows: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        },
        either: {
          oneOf: [
            { type: 'object', properties: { k: { const: 'x' }, a: { type: 'string' } } },
            { type: 'object', properties: { k: { const: 'y' }, b: { type: 'integer' } } },
          ],
        },
      },
      required: ['kind'],
    };
    const definition: ToolDefinition = { name: 'probe', description: 'Probe.', parameters };
    const own = buildGrammar([definition]);
    const args = {
      text: 'null',
      kind: 'b',
      ids: ['1', '2'],
      size: -1.5e-7,
      on: false,
      grid: [[1, 2], [3]],
      free: { __a: ['<b>'] },
      any: null,
      rows: [{ n: 1 }, { n: 2 }],
      either: { k: 'y', b: 3 },
    };
    const decoded = decodeReply(turnOf(encodeCalls([{ name: 'probe', args }], own)), own);
    const { any: _, ...encoded } = args;
    expect('turn' in decoded && JSON.parse(decoded.turn.calls[0]?.argumentsText ?? '')).toEqual(
      encoded,
    );
    expect(renderGrammar(own)).toBe(
      [
        '<probe> Probe.',
        '  <text>? string',
        '  <kind> a|b',
        '  <ids>* string',
        '  <size>? number',
        '  <on>? boolean',
        '  <grid>* json',
        '  <free>? json',
        '  <any>? json',
        '  <rows>*',
        '    <n> integer',
        '  <either>?',
        '    <k>? x|y',
        '    <a>? string',
        '    <b>? integer',
      ].join('\n'),
    );
  });
});

describe('a reply', () => {
  it('without instructions is prose alone, and one without prose has no reasoning', () => {
    expect(read('I believe that it is fine.').prose).toBe('I believe that it is fine.');
    expect(read('```xml\n<verify></verify>\n```\n').prose).toBe('');
  });
});
