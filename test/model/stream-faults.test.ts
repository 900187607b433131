/** Damaged streams of chat completions: no damage becomes a call that the endpoint did not send. */
import { describe, expect, it } from 'vitest';
import { chatApi } from '../../src/model/apis/chat.ts';
import { emptyTurn, finishTurn } from '../../src/model/apis/partial-turn.ts';
import { isAll, randomOf } from '../seed.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

type Part = Readonly<Record<string, unknown>>;

const rounds = isAll ? 20_000 : 1_000;
const names = ['grep', 'apply_patch', 'verify', 'finish'] as const;

/** A few calls with arguments that hold what could be taken for structure. */
function drawCalls(random: () => number): readonly Call[] {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => ({
    id: `call_${i}`,
    name: names[Math.floor(random() * names.length)] ?? 'grep',
    argumentsText: JSON.stringify({ n: i, text: `{"${'}\\"x'.repeat(Math.floor(random() * 4))}` }),
  }));
}

const whole = ({ id, name, argumentsText }: Call, index: number): Part => ({
  index,
  id,
  function: { name, arguments: argumentsText },
});

function inPieces(call: Call, index: number): readonly Part[] {
  const pieces = call.argumentsText.match(/.{1,5}/gs) ?? [];
  const header = { index, id: call.id, function: { name: call.name, arguments: '' } };
  return [header, ...pieces.map(piece => ({ index, function: { arguments: piece } }))];
}

/** The calls of a stream that could run: their arguments are JSON. Null when the stream is no turn. */
function readCalls(parts: readonly Part[], ends: boolean): readonly string[] | undefined {
  const turn = emptyTurn(false);
  const chunk = (delta: object, finish_reason: string | undefined) =>
    chatApi.addEvent(turn, { choices: [{ index: 0, delta, finish_reason }] } as never);
  for (const part of parts) chunk({ tool_calls: [part] }, undefined);
  if (ends) chunk({}, 'tool_calls');
  const finished = finishTurn(turn, 1);
  if ('problem' in finished) return undefined;
  return finished.calls.filter(c => isJson(c.argumentsText)).map(formOf);
}

const formOf = ({ name, argumentsText }: Pick<Call, 'name' | 'argumentsText'>) =>
  `${name} ${argumentsText}`;

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const drawn = items.map(item => [random(), item] as const);
  return drawn.sort(([a], [b]) => a - b).map(([, item]) => item);
}

/** Each item again with a chance, at a place behind it. */
function doubled<T>(items: readonly T[], random: () => number): readonly T[] {
  const out: T[] = [];
  const late: T[] = [];
  for (const item of items) {
    out.push(item);
    if (random() < 0.3) late.push(item);
    if (late.length > 0 && random() < 0.5) out.push(...late.splice(0));
  }
  return [...out, ...late];
}

/** Lists that take turns, each in its own order. */
function interleaved<T>(lists: readonly (readonly T[])[], random: () => number): readonly T[] {
  const left = lists.map(list => [...list]);
  const out: T[] = [];
  while (left.some(list => list.length > 0)) {
    const open = left.filter(list => list.length > 0);
    const item = open[Math.floor(random() * open.length)]?.shift();
    if (item !== undefined) out.push(item);
  }
  return out;
}

describe('a damaged stream', () => {
  it('in pieces, interleaved: gives exactly the calls that were sent', () => {
    const random = randomOf('interleaved streams');
    for (let i = 0; i < rounds; i++) {
      const calls = drawCalls(random);
      const parts = interleaved(calls.map(inPieces), random);
      expect(new Set(readCalls(parts, true))).toEqual(new Set(calls.map(formOf)));
    }
  });

  it('that is cut gives nothing', () => {
    const random = randomOf('cut streams');
    for (let i = 0; i < rounds; i++) {
      const parts = interleaved(drawCalls(random).map(inPieces), random);
      expect(readCalls(parts.slice(0, Math.floor(random() * parts.length)), false)).toBeUndefined();
    }
  });

  it.each([
    ['with indexes', (index: number) => index],
    ['all at index 0', () => 0],
  ])('of whole calls, %s, in another order and repeated: gives calls that were sent', (_, at) => {
    const random = randomOf('damaged streams');
    for (let i = 0; i < rounds; i++) {
      const calls = drawCalls(random);
      const parts = calls.map((call, k) => whole(call, at(k)));
      const sent = new Set(calls.map(formOf));
      for (const damaged of [shuffled(parts, random), doubled(parts, random)])
        for (const call of readCalls(damaged, true) ?? []) expect(sent).toContain(call);
    }
  });

  it('with repeated heads of calls gives the calls that were sent', () => {
    const random = randomOf('repeated heads');
    for (let i = 0; i < rounds; i++) {
      const calls = drawCalls(random);
      const parts = calls.flatMap((call, k) => {
        const [head = {}, ...rest] = inPieces(call, k);
        return [head, ...rest.flatMap(piece => (random() < 0.3 ? [piece, head] : [piece]))];
      });
      expect(readCalls(parts, true)).toEqual(calls.map(formOf));
    }
  });

  it('with arguments before their call, or behind the end of the reply, is no turn', () => {
    const random = randomOf('misplaced arguments');
    for (let i = 0; i < rounds; i++) {
      const [head = {}, first = {}, ...rest] = drawCalls(random).slice(0, 1).flatMap(inPieces);
      expect(readCalls([first, head, ...rest], true)).toBeUndefined();
    }
    const turn = emptyTurn(false);
    const chunk = (part: object, finish_reason: string | undefined) =>
      chatApi.addEvent(turn, {
        choices: [{ index: 0, delta: { tool_calls: [part] }, finish_reason }],
      } as never);
    chunk({ index: 0, id: 'a', function: { name: 'grep', arguments: '{"a":1' } }, 'tool_calls');
    chunk({ index: 0, function: { arguments: '2}' } }, undefined);
    expect(finishTurn(turn, 1)).toEqual({ problem: 'the reply broke off' });
  });

  it('whose chunks carry an empty finish_reason has not ended', () => {
    const turn = emptyTurn(false);
    chatApi.addEvent(turn, {
      choices: [{ index: 0, delta: { content: 'Half a' }, finish_reason: '' }],
    } as never);
    expect(finishTurn(turn, 1)).toEqual({ problem: 'the reply broke off' });
  });
});
