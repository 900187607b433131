import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstFacts, type WireFacts } from '../../src/model/endpoint-facts.ts';
import { emptyTurn, finishTurn, requestBody } from '../../src/model/native.ts';
import type { Message, ModelRequest, Turn } from '../../src/model/turn.ts';
import { messagesHeaders } from '../../src/model/wires/index.ts';
import { messagesWire } from '../../src/model/wires/messages.ts';
import { responsesWire } from '../../src/model/wires/responses.ts';
import type { Wire } from '../../src/model/wires/wire.ts';
import { anthropic, messagesEvents, messagesReply } from '../doubles/providers/anthropic.ts';
import {
  openaiResponses,
  responsesEvents,
  responsesReply,
} from '../doubles/providers/openai-responses.ts';
import { type StrictProvider, startStrict } from '../doubles/providers/strict-server.ts';
import { seed } from '../seed.ts';

const facts: WireFacts = {
  wire: 'responses',
  refused: new Set(),
  reasoningEffort: null,
  extraBody: {},
  tokenLimitKey: 'max_completion_tokens',
  stream: true,
  maxCallIdChars: 64,
  images: true,
};

const tools = [
  {
    name: 'read_code_block',
    description: 'Reads.',
    parameters: { type: 'object', properties: {} },
  },
];

const request = (messages: readonly Message[]): ModelRequest => ({
  messages,
  tools,
  maxOutputTokens: 1000,
  retries: 'fixed',
  cacheKey: 'photon-1',
});

/** A reply that both doubles can send: two calls, each after a piece of reasoning, and a text. */
const said = {
  text: 'I read both files.',
  reasoning: 'Both are needed.',
  calls: [
    { id: 'call_a', name: 'read_code_block', arguments: { path: 'a.ts' } },
    { id: 'call_b', name: 'read_code_block', arguments: { path: 'b.ts', note: '"}{' } },
  ],
};

interface Subject {
  readonly wire: Wire;
  readonly provider: StrictProvider;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly object[];
  readonly whole: object;
}

const subjects: Readonly<Record<string, Subject>> = {
  responses: {
    wire: responsesWire,
    provider: openaiResponses,
    headers: { authorization: 'Bearer key-1' },
    events: responsesEvents(said),
    whole: responsesReply(said),
  },
  messages: {
    wire: messagesWire,
    provider: anthropic,
    headers: messagesHeaders('key-1'),
    events: messagesEvents(said),
    whole: messagesReply(said),
  },
};

function streamed(wire: Wire, events: readonly unknown[]) {
  const partial = emptyTurn(false);
  for (const event of events) {
    wire.addEvent(partial, event);
    if (partial.problem !== null) break;
  }
  return finishTurn(partial, 100);
}

const turnOf = (result: ReturnType<typeof finishTurn>): Turn => {
  if ('problem' in result) throw new Error(result.problem);
  return result;
};

describe.each(Object.entries(subjects))('the %s wire', (name, subject) => {
  const { wire, events, whole } = subject;

  it.each([true, false])(
    'holds a conversation with a strict endpoint (stream: %s)',
    async stream => {
      const server = await startStrict(subject.provider, [said, { ...said, calls: [] }]);
      try {
        const messages: Message[] = [
          { role: 'system', text: 'Rules.' },
          { role: 'user', text: 'Task.' },
        ];
        for (let round = 0; round < 2; round++) {
          const response = await fetch(`${server.url}${wire.path}`, {
            method: 'POST',
            headers: subject.headers,
            body: JSON.stringify(wire.body(request(messages), 'm', { ...facts, stream })),
          });
          const reply = await response.text();
          const data = [...reply.matchAll(/^data: (.*)$/gm)].map(m => JSON.parse(m[1] ?? ''));
          const { text, calls, opaque } = turnOf(
            stream ? streamed(wire, data) : finishTurn(wire.fromWhole(JSON.parse(reply), false), 1),
          );
          expect(calls).toHaveLength(round === 0 ? 2 : 0);
          messages.push({ role: 'assistant', text, calls, ...(opaque && { opaque }) });
          for (const { id, name: tool } of calls)
            messages.push({ role: 'tool', callId: id, name: tool, text: 'content' });
        }
        expect(server.refusals).toEqual([]);
      } finally {
        await server.close();
      }
    },
  );

  it('reads a stream and a whole reply to the same turn', () => {
    const turn = turnOf(streamed(wire, events));
    expect(turn).toMatchObject({
      text: said.text,
      reasoning: said.reasoning,
      calls: said.calls.map(c => ({
        id: c.id,
        name: c.name,
        argumentsText: JSON.stringify(c.arguments),
      })),
      usage: { inputTokens: 120, cachedTokens: 80, cacheWriteTokens: 30, outputTokens: 9 },
      finishReason: 'tool_calls',
      opaque: { wire: name },
    });
    expect(turnOf(finishTurn(wire.fromWhole(whole, false), 100))).toEqual(turn);
  });

  it('makes no turn from a stream that is cut anywhere', () => {
    for (let n = 0; n < events.length; n++)
      expect(streamed(wire, events.slice(0, n)), `${n} events`).toHaveProperty('problem');
  });

  it('makes no other call from events that are lost, repeated or moved', () => {
    const argumentsTexts = said.calls.map(c => JSON.stringify(c.arguments));
    const structural = events
      .map((event, i) => ({ event, i }))
      .filter(({ event }) => {
        const { type } = event as { type: string };
        return !type.endsWith('_delta') || type === 'message_delta';
      });
    const change = fc.record({
      kind: fc.constantFrom('drop', 'repeat', 'move'),
      at: fc.nat(structural.length - 1),
      to: fc.nat(events.length - 1),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), changes => {
        const list = [...events];
        for (const { kind, at, to } of changes) {
          const event = structural[at]?.event as object;
          const i = list.indexOf(event);
          if (kind === 'repeat') list.splice(to, 0, event);
          else if (i >= 0) list.splice(i, 1);
          if (kind === 'move') list.splice(to, 0, event);
        }
        const turn = streamed(wire, list);
        if ('problem' in turn) return;
        for (const { id, argumentsText } of turn.calls)
          expect(argumentsText).toBe(argumentsTexts[said.calls.findIndex(c => c.id === id)]);
      }),
      { seed },
    );
  });

  it('survives events and replies of any form', () => {
    const types = [...new Set(events.map(e => (e as { type: string }).type)), 'error', 7, null];
    const anything = fc.oneof(
      fc.anything(),
      fc.tuple(fc.constantFrom(...types), fc.object()).map(([type, o]) => ({ ...o, type })),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 8 }), list => {
        const turn = streamed(wire, list);
        if (!('problem' in turn)) expect(turn.calls).toEqual([]);
        finishTurn(wire.fromWhole(list[0], false), 1);
      }),
      { seed },
    );
  });

  it('sends what belongs to a call back before it, and nothing of another wire', () => {
    const { text, calls, opaque } = turnOf(streamed(wire, events));
    const results = calls.map(c => ({
      role: 'tool' as const,
      callId: c.id,
      name: c.name,
      text: 'x',
    }));
    const messages = (parts: typeof opaque): Message[] => [
      { role: 'system', text: 'Rules.' },
      { role: 'user', text: 'Task.' },
      { role: 'assistant', text, calls, ...(parts && { opaque: parts }) },
      ...results,
    ];
    const sent = JSON.stringify(wire.body(request(messages(opaque)), 'm', facts));
    for (const secret of ['secret-1', 'secret-2']) expect(sent).toContain(secret);
    expect(sent.indexOf('secret-2')).toBeLessThan(sent.indexOf('call_b'));
    expect(sent.indexOf('secret-2')).toBeGreaterThan(sent.indexOf('call_a'));
    const foreign = opaque && { ...opaque, wire: 'chat' as const };
    expect(JSON.stringify(wire.body(request(messages(foreign)), 'm', facts))).not.toContain(
      'secret',
    );
  });

  it('sends what a person added, and leaves out what the endpoint refused', () => {
    const messages: Message[] = [{ role: 'user', text: 'Task.' }];
    const body = wire.body(request(messages), 'm', {
      ...facts,
      extraBody: { temperature: 0, model: 'other', stream: false },
      refused: new Set(['reasoning.summary', 'include', 'cache_control', 'prompt_cache_key']),
    });
    expect(body).toMatchObject({ model: 'm', stream: true, temperature: 0 });
    expect(body).not.toHaveProperty('reasoning');
    expect(body).not.toHaveProperty('include');
    expect(JSON.stringify(body)).not.toMatch(/cache/);
  });

  it('shortens an id that the endpoint refuses, for the call and its result alike', () => {
    const id = `${'x'.repeat(80)} ü`;
    const call = { id, name: 'read_code_block', argumentsText: '{}' };
    const body = JSON.stringify(
      wire.body(
        request([
          { role: 'user', text: 'Task.' },
          { role: 'assistant', text: '', calls: [call] },
          { role: 'tool', callId: id, name: call.name, text: 'done' },
        ]),
        'm',
        { ...facts, maxCallIdChars: 9 },
      ),
    );
    const ids = [...body.matchAll(/"(?:call_id|id|tool_use_id)":"([^"]*)"/g)].map(m => m[1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^[0-9a-f]{9}$/);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('the responses wire', () => {
  const { events } = subjects.responses as Subject;

  it('takes the items of the stream when the last event holds none, as some proxies send it', () => {
    const emptied = events.map(e =>
      'response' in e && Reflect.get(e, 'type') === 'response.completed'
        ? { ...e, response: { ...(e.response as object), output: [] } }
        : e,
    );
    expect(streamed(responsesWire, emptied)).toEqual(streamed(responsesWire, events));
  });

  it('ends with the error that the endpoint sends', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' };
    for (const event of [
      { type: 'response.failed', response: { status: 'failed', error } },
      { type: 'error', ...error },
    ]) {
      const partial = emptyTurn(false);
      responsesWire.addEvent(partial, event);
      expect(partial).toMatchObject({ problem: 'the reply broke off', endpointError: error });
    }
  });

  it('takes no reasoning item back that has no encrypted content', () => {
    const whole = responsesReply(said);
    const output = (whole.output as Record<string, unknown>[]).map(
      ({ encrypted_content: _, ...item }) => item,
    );
    const turn = turnOf(finishTurn(responsesWire.fromWhole({ ...whole, output }, false), 1));
    expect(turn.opaque).toEqual({ wire: 'responses', text: { phase: 'commentary' }, byCall: {} });
  });
});

describe('the messages wire', () => {
  it('merges results and texts into one user turn and marks the stable prefix', () => {
    const call = (id: string) => ({ id, name: 'read_code_block', argumentsText: 'no json' });
    const result = (callId: string) => ({
      role: 'tool' as const,
      callId,
      name: 'read_code_block',
      text: callId === 'b' ? '' : 'text',
    });
    const body = messagesWire.body(
      request([
        { role: 'system', text: 'Rules.' },
        { role: 'user', text: 'Task.' },
        { role: 'assistant', text: ' ', calls: [call('a'), call('b')] },
        result('a'),
        result('b'),
        { role: 'user', text: 'Go on.' },
      ]),
      'm',
      { ...facts, reasoningEffort: 'high' },
    );
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body).toEqual({
      model: 'm',
      stream: true,
      max_tokens: 1000,
      thinking: { type: 'adaptive' },
      output_config: { effort: 'high' },
      system: [{ type: 'text', text: 'Rules.', ...mark }],
      tools: [
        {
          name: 'read_code_block',
          description: 'Reads.',
          input_schema: { type: 'object', properties: {} },
        },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Task.', ...mark }] },
        {
          role: 'assistant',
          content: ['a', 'b'].map(id => ({
            type: 'tool_use',
            id,
            name: 'read_code_block',
            input: { unreadable: 'no json' },
          })),
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'text' }] },
            { type: 'tool_result', tool_use_id: 'b', content: [] },
            { type: 'text', text: 'Go on.', ...mark },
          ],
        },
      ],
    });
  });

  it('refuses arguments that arrived damaged', () => {
    const { events } = subjects.messages as Subject;
    const twice = events.flatMap(e => (JSON.stringify(e).includes('partial_json') ? [e, e] : [e]));
    expect(streamed(messagesWire, twice)).toEqual({
      problem: 'the arguments of a tool call arrived damaged',
    });
  });

  it('ends with the error that the endpoint sends', () => {
    const partial = emptyTurn(false);
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    messagesWire.addEvent(partial, { type: 'error', error });
    expect(partial.endpointError).toEqual({ code: 'overloaded_error', message: 'Overloaded' });
    expect(messagesWire.fromWhole({ type: 'error', error }, true).problem).toBe(
      'the reply broke off',
    );
  });
});

describe('images behind a text', () => {
  const images = {
    list: [{ mediaType: 'image/png', base64: 'AAAA' }],
    intro: 'One image follows.',
    instead: 'One image is not shown.',
  };
  const seen = request([{ role: 'user', text: 'Task', images }]);

  it('have the form of each API', () => {
    expect(responsesWire.body(seen, 'gpt-5', facts).input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Task\nOne image follows.' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
    ]);
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    expect(messagesWire.body(seen, 'claude', facts).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Task\nOne image follows.' },
          { type: 'image', source, cache_control: { type: 'ephemeral' } },
        ],
      },
    ]);
    expect(requestBody(seen, 'gpt-4o', { ...firstFacts, images: true }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Task\nOne image follows.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  it('are text where the endpoint takes none', () => {
    const none = { ...facts, images: false };
    const bodies = [
      responsesWire.body(seen, 'gpt-5', none),
      messagesWire.body(seen, 'claude', none),
      requestBody(seen, 'gpt-4o', firstFacts),
    ];
    for (const body of bodies) {
      expect(JSON.stringify(body)).toContain('Task\\nOne image is not shown.');
      expect(JSON.stringify(body)).not.toContain('AAAA');
    }
  });
});
