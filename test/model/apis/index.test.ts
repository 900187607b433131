/** Every api holds a conversation with a strict endpoint, and makes no turn of a damaged reply. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiName } from '../../../src/model/apis/api.ts';
import { finishTurn } from '../../../src/model/apis/partial-turn.ts';
import { makeRequestBody } from '../../../src/model/apis/request-body.ts';
import type { Message } from '../../../src/model/turn.ts';
import { startStrict } from '../../doubles/providers/strict-server.ts';
import { seed } from '../../seed.ts';
import { facts, readWhole, request, said, streamed, subjects, turnOf } from './requests.ts';

describe.each(Object.entries(subjects))('the %s api', (name, subject) => {
  const { api, events, whole } = subject;

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
          const response = await fetch(`${server.url}${subject.path}`, {
            method: 'POST',
            headers: subject.headers,
            body: JSON.stringify(api.body(request(messages), 'm', { ...facts, stream })),
          });
          const reply = await response.text();
          const data = [...reply.matchAll(/^data: (.*)$/gm)].map(m => JSON.parse(m[1] ?? ''));
          const { text, calls, opaque } = turnOf(
            stream ? streamed(api, data) : finishTurn(readWhole(api, JSON.parse(reply)), 1),
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
    const turn = turnOf(streamed(api, events));
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
      opaque: { api: name },
    });
    expect(turnOf(finishTurn(readWhole(api, whole), 100))).toEqual(turn);
  });

  it('makes no turn from a stream that is cut anywhere', () => {
    for (let n = 0; n < events.length; n++)
      expect(streamed(api, events.slice(0, n)), `${n} events`).toHaveProperty('problem');
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
        const turn = streamed(api, list);
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
        const turn = streamed(api, list);
        if (!('problem' in turn)) expect(turn.calls).toEqual([]);
        finishTurn(readWhole(api, list[0]), 1);
      }),
      { seed },
    );
  });

  it('sends what belongs to a call back before it, and nothing of another api', () => {
    const { text, calls, opaque } = turnOf(streamed(api, events));
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
    const sent = JSON.stringify(api.body(request(messages(opaque)), 'm', facts));
    for (const secret of ['secret-1', 'secret-2']) expect(sent).toContain(secret);
    expect(sent.indexOf('secret-2')).toBeLessThan(sent.indexOf('call_b'));
    expect(sent.indexOf('secret-2')).toBeGreaterThan(sent.indexOf('call_a'));
    const foreign = opaque && { ...opaque, api: 'chat' as const };
    expect(JSON.stringify(api.body(request(messages(foreign)), 'm', facts))).not.toContain(
      'secret',
    );
  });

  it('sends what a person added, and leaves out what the endpoint refused', () => {
    const messages: Message[] = [{ role: 'user', text: 'Task.' }];
    const body = api.body(request(messages), 'm', {
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
      makeRequestBody(
        request([
          { role: 'user', text: 'Task.' },
          { role: 'assistant', text: '', calls: [call] },
          { role: 'tool', callId: id, name: call.name, text: 'done' },
        ]),
        'm',
        { ...facts, api: name as ApiName, shortIds: true },
      ),
    );
    const ids = [...body.matchAll(/"(?:call_id|id|tool_use_id)":"([^"]*)"/g)].map(m => m[1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^[0-9a-f]{9}$/);
    expect(ids[1]).toBe(ids[0]);
  });
});
