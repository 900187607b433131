/** Streams as gateways and local servers change them, each from a public report: the turn is the one that was meant. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/model/client.ts';
import type { Turn } from '../../src/model/turn.ts';
import { anthropic } from '../doubles/providers/anthropic.ts';
import { openaiResponses } from '../doubles/providers/openai-responses.ts';
import { seed } from '../seed.ts';
import { request } from './apis/requests.ts';

type Json = Readonly<Record<string, unknown>>;

/** The turn of a body that is sent in one piece, or cut at these bytes, and, where `stays` is set, never ends. */
async function turnOf(
  api: 'chat' | 'messages' | 'responses',
  lines: readonly string[],
  { stays = false, cuts = [] as readonly number[] } = {},
): Promise<Turn> {
  const body = Buffer.from(`${lines.join('\n\n')}\n\n`);
  const ends = [...cuts.map(cut => cut % body.length), body.length].sort((a, b) => a - b);
  const makeBody = () =>
    new ReadableStream<Uint8Array>({
      start: controller => {
        for (const [i, end] of ends.entries())
          controller.enqueue(body.subarray(ends[i - 1] ?? 0, end));
        if (!stays) controller.close();
      },
    });
  const model = openModel({
    baseUrl: 'http://127.0.0.1:9/v1',
    model: 'm',
    api,
    apiKey: async () => '',
    clock: { now: () => 0, random: () => 0, sleep: async () => {} },
    deadline: 1_000_000,
    log: () => {},
    fetch: async () =>
      new Response(makeBody(), { headers: { 'content-type': 'text/event-stream' } }),
  });
  return model.complete(request([{ role: 'user', text: 'Go on.' }]), new AbortController().signal);
}

const data = (event: Json) =>
  `${typeof event.type === 'string' ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}`;

describe('messages', () => {
  const turn = {
    text: 'I read.',
    calls: [{ id: 'c1', name: 'grep', arguments: { pattern: 'x' } }],
  };
  const events = anthropic.events(turn, 90) as readonly Json[];
  const without = (...types: readonly string[]) =>
    events.filter(event => !types.includes(String(event.type)));
  const start = events.find(event => event.type === 'message_start') ?? {};
  const last = events.find(event => event.type === 'message_delta') ?? {};
  const twice = (type: string, event: Json) =>
    events.flatMap(each => (each.type === type ? [each, event] : [each]));
  const rows: readonly (readonly [string, readonly Json[], boolean])[] = [
    ['the start twice', twice('message_start', start), false],
    [
      'the start again, with another id',
      twice('message_start', { ...start, message: { id: 'other' } }),
      false,
    ],
    ['two last events', twice('message_delta', { ...last, delta: {} }), false],
    ['no end behind the reason to stop', without('message_stop'), false],
    ['no end of blocks', without('content_block_stop'), false],
    [
      'gaps in the numbers of blocks',
      events.map(event =>
        typeof event.index === 'number' ? { ...event, index: event.index * 3 } : event,
      ),
      false,
    ],
    ['a connection that stays open behind the end', events, true],
  ];

  it.each(rows)('%s', async (_name, sent, stays) => {
    const reply = await turnOf('messages', sent.map(data), { stays });
    expect(reply).toMatchObject({ text: 'I read.', finishReason: 'tool_calls' });
    expect(reply.calls).toEqual([
      { id: 'c1', name: 'grep', argumentsText: JSON.stringify({ pattern: 'x' }) },
    ]);
    expect(reply.usage.inputTokens).toBe(90);
  });

  it.each([
    [
      'arguments that are cut',
      (event: Json) =>
        event.type !== 'content_block_delta' || !JSON.stringify(event).includes('input_json'),
    ],
    ['no reason to stop', (event: Json) => event.type !== 'message_delta'],
  ] as const)('%s are no turn', async (name, keep) => {
    const sent = events
      .filter(keep)
      .map(event =>
        name.startsWith('arguments') && event.type === 'content_block_start' && event.index === 1
          ? { ...event, content_block: { ...Object(event.content_block), input: 'x' } }
          : event,
      );
    await expect(turnOf('messages', sent.map(data))).rejects.toThrow(/broke off|damaged/);
  });
});

it('a response whose connection stays open is over with its last event', async () => {
  const events = openaiResponses.events({ text: 'I am done.', calls: [] }, 90) as readonly Json[];
  expect(await turnOf('responses', events.map(data), { stays: true })).toMatchObject({
    text: 'I am done.',
  });
});

it('text in place of an event is shown', async () => {
  const sent = turnOf('chat', ['data: upstream connect error: reset by peer']);
  await expect(sent).rejects.toThrow('no JSON: upstream connect error: reset by peer');
});

describe('calls of chat completions', () => {
  const args = JSON.stringify({ path: 'a.ts', text: '{"x": "{"}' });
  const call = (more: Json) => ({ choices: [{ index: 0, delta: { tool_calls: [more] } }] });
  const head = (id: string, index = 0) =>
    call({ index, id, function: { name: 'grep', arguments: '' } });
  const piece = (text: string, more: Json = {}) =>
    call({ index: 0, ...more, function: { arguments: text } });
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  const pieces = [args.slice(0, 1), args.slice(1, 9), args.slice(9, 20), args.slice(20)];
  const sums = pieces.map((_, i) => pieces.slice(0, i + 1).join(''));
  const rows: readonly (readonly [string, readonly Json[]])[] = [
    ['the arguments again as a whole', [...pieces, args].map(text => piece(text))],
    ['each piece with all before it', sums.map(text => piece(text))],
    ['the arguments behind an empty object', ['{}', args].map(text => piece(text))],
    [
      'another id with each piece',
      pieces.map((text, i) =>
        piece(text, { id: `other-${i}`, function: { name: 'grep', arguments: text } }),
      ),
    ],
  ];

  it.each(rows)('%s are one call', async (_name, sent) => {
    const reply = await turnOf('chat', [...[head('c1'), ...sent, end].map(data), 'data: [DONE]']);
    expect(reply.calls.map(({ name, argumentsText }) => [name, argumentsText])).toEqual([
      ['grep', args],
    ]);
  });

  it('two calls under one index stay two', async () => {
    const whole = (id: string) =>
      call({ index: 0, id, function: { name: 'grep', arguments: args } });
    const reply = await turnOf('chat', [whole('c1'), whole('c2'), end].map(data));
    expect(reply.calls.map(({ id }) => id)).toEqual(['c1', 'c2']);
  });

  it('the choice with the calls is the reply', async () => {
    const second = {
      index: 1,
      message: {
        content: '',
        tool_calls: [{ id: 'c1', function: { name: 'grep', arguments: args } }],
      },
    };
    const first = { index: 0, message: { content: 'I read.' } };
    const lines = [
      JSON.stringify({ choices: [first, { ...second, finish_reason: 'tool_calls' }] }),
    ];
    expect((await turnOf('chat', lines)).calls).toHaveLength(1);
  });
});

describe('a stream whose events come in any free order, in pieces, and again', () => {
  const calls = ['a', 'bé'].map((path, i) => ({
    id: `call_${i}`,
    name: 'grep',
    arguments: { pattern: `{"${path}": [{}, "\\n"]}` },
  }));
  const said = { text: 'I read – both.', calls };
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const part = (index: number, more: Json) => chunk({ tool_calls: [{ index, ...more }] });
  const chat: readonly Json[] = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: said.text }),
    ...calls.flatMap(({ id, name, arguments: given }, i) => [
      part(i, { id, type: 'function', function: { name, arguments: '' } }),
      part(i, { function: { arguments: JSON.stringify(given) } }),
    ]),
    chunk({}, 'tool_calls'),
    { choices: [], usage: { prompt_tokens: 90, completion_tokens: 5 } },
  ];
  const streams = {
    chat,
    messages: anthropic.events(said, 90) as readonly Json[],
    responses: openaiResponses.events(said, 90) as readonly Json[],
  };
  /** What holds the text of an event that may come in two pieces. */
  const grown = /"(content|arguments|text|partial_json|delta)":("(?:[^"\\]|\\.)+")/;

  /** Two events with a part of the text each; the event alone if it has no text that grows. */
  const split = (event: Json, at: number): readonly Json[] => {
    const isPiece = event.choices !== undefined || /delta$/.test(String(event.type));
    const text = JSON.stringify(event);
    const [whole = '', field = '', value = '""'] = (isPiece && grown.exec(text)) || [];
    const letters = [...(JSON.parse(value) as string)];
    const place = at % (letters.length || 1);
    if (place === 0) return [event];
    return [letters.slice(0, place), letters.slice(place)].map(piece =>
      JSON.parse(text.replace(whole, () => `"${field}":${JSON.stringify(piece.join(''))}`)),
    );
  };
  const findCallIndex = (event: Json) =>
    /"(?:tool_calls":\[\{"index|output_index|index)":(\d+)/.exec(
      JSON.stringify(event.choices === undefined ? event : Object(event.choices)[0]?.delta),
    )?.[1];
  /** True for an event that says the same when it comes twice. */
  const isState = (event: Json) =>
    !grown.test(JSON.stringify(event)) || /done$/.test(String(event.type));

  /** The events of calls and blocks, each of which keeps its own order, by turns. */
  const shuffle = (events: readonly Json[], turns: readonly number[]): readonly Json[] => {
    const first = events.findIndex(event => findCallIndex(event) !== undefined);
    const last = events.findLastIndex(event => findCallIndex(event) !== undefined);
    const lanes = [...Map.groupBy(events.slice(first, last + 1), findCallIndex).values()];
    const mixed = Array.from({ length: last + 1 - first }, (_, i) => {
      const open = lanes.filter(lane => lane.length > 0);
      return open[(turns[i % turns.length] ?? 0) % open.length]?.shift() ?? {};
    });
    return [...events.slice(0, first), ...mixed, ...events.slice(last + 1)];
  };

  const numbers = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 12 });
  it.each(Object.entries(streams))('%s', async (name, events) => {
    const api = name as keyof typeof streams;
    const mark = api === 'chat' ? ['data: [DONE]'] : [];
    const whole = await turnOf(api, [...events.map(data), ...mark]);
    expect(whole.calls.map(call => JSON.parse(call.argumentsText))).toEqual(
      calls.map(call => call.arguments),
    );
    const changes = fc.record({ turns: numbers, at: numbers, again: numbers, cuts: numbers });
    await fc.assert(
      fc.asyncProperty(changes, async ({ turns, at, again, cuts }) => {
        const pieces = events.flatMap((event, i) => split(event, at[i % at.length] ?? 0));
        const repeated = shuffle(pieces, turns).flatMap((event, i) =>
          isState(event) && (again[i % again.length] ?? 0) % 3 === 0 ? [event, event] : [event],
        );
        const lines = [...repeated.map(data), ...mark].flatMap(line => [': queued', line]);
        expect(await turnOf(api, lines, { cuts })).toEqual(whole);
      }),
      { seed },
    );
  });
});
