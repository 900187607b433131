import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import type { Message, Model, ModelRequest, Turn } from '../../../src/model/turn.ts';
import { type Takeover, withFallbacks } from '../../../src/run/engines/endpoint.ts';

const turn: Turn = {
  text: 'x',
  calls: [],
  usage: { inputTokens: 1, outputTokens: 1 },
  finishReason: 'stop',
  opaque: { api: 'chat', text: { signature: 's' }, byCall: {} },
};

function scripted(name: string, replies: readonly (Turn | PhotonError)[]) {
  const seen: ModelRequest[] = [];
  const model: Model = {
    name,
    complete: async request => {
      const reply = replies[seen.length];
      seen.push(request);
      if (reply === undefined) throw new Error('the script is used up');
      if (reply instanceof PhotonError) throw reply;
      return reply;
    },
  };
  return { model, seen };
}

const ask = (model: Model, messages: readonly Message[] = [], signal?: AbortSignal) =>
  model.complete(
    { messages, tools: [], maxOutputTokens: 1, retries: 'fixed' },
    signal ?? new AbortController().signal,
  );

describe('a model with fallbacks', () => {
  it.each(['MODEL_UNAVAILABLE', 'MODEL_RATE_LIMIT', 'MODEL_NOT_FOUND'] as const)(
    'is followed by the next one after %s, for good and with the same conversation',
    async code => {
      const a = scripted('a', [turn, new PhotonError(code)]);
      const b = scripted('b', [turn, turn]);
      const takeovers: Takeover[] = [];
      const model = withFallbacks([a.model, b.model], t => takeovers.push(t));
      const first = await ask(model);
      expect(first).toMatchObject({ model: 'a', opaque: { model: 'a' } });
      const messages: Message[] = [
        { role: 'user', text: 'Task.' },
        { role: 'assistant', text: 'x', calls: [], ...(first.opaque && { opaque: first.opaque }) },
      ];
      const second = await ask(model, messages);
      expect(second).toMatchObject({ model: 'b', opaque: { model: 'b' } });
      expect(takeovers).toMatchObject([{ from: 'a', to: 'b', error: { code } }]);
      expect(a.seen[1]?.messages).toEqual(messages);
      expect(b.seen[0]?.messages).toEqual([
        { role: 'user', text: 'Task.' },
        { role: 'assistant', text: 'x', calls: [] },
      ]);
      await ask(model, [
        { role: 'assistant', text: 'x', calls: [], opaque: second.opaque ?? never },
      ]);
      expect(b.seen[1]?.messages[0]).toHaveProperty('opaque.text.signature', 's');
      expect(a.seen).toHaveLength(2);
    },
  );

  it.each(['MODEL_AUTH', 'MODEL_REQUEST', 'MODEL_CONTEXT', 'MODEL_OUTPUT', 'CANCELLED'] as const)(
    'is not followed after %s',
    async code => {
      const a = scripted('a', [new PhotonError(code)]);
      const b = scripted('b', [turn]);
      await expect(ask(withFallbacks([a.model, b.model], () => {}))).rejects.toThrow(
        expect.objectContaining({ code }),
      );
      expect(b.seen).toEqual([]);
    },
  );

  it('ends with the error of the last one, and at once when the run is cancelled', async () => {
    const down = () => new PhotonError('MODEL_UNAVAILABLE', 'down');
    const models = ['a', 'b'].map(name => scripted(name, [down(), down()]));
    const [a, b] = models as [(typeof models)[0], (typeof models)[0]];
    await expect(ask(withFallbacks([a.model, b.model], () => {}))).rejects.toThrow('down');
    expect([a.seen.length, b.seen.length]).toEqual([1, 1]);
    const cancelled = withFallbacks([a.model, b.model], () => {});
    await expect(ask(cancelled, [], AbortSignal.abort())).rejects.toThrow('down');
    expect([a.seen.length, b.seen.length]).toEqual([2, 1]);
  });

  it('is the model itself without any', () => {
    const { model } = scripted('a', []);
    expect(withFallbacks([model], () => {})).toBe(model);
  });
});

const never = { api: 'chat', text: {}, byCall: {} } as const;
