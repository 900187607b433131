/** What a provider does differently: the requests that it refuses, and the form of its replies. */
import type { Body, ModelStep, Script, ScriptedTurn } from '../model.ts';

export interface Provider {
  readonly name: string;
  /** Where its behaviour is documented, or was reported. */
  readonly source: string;
  /** The refusal of a request; null when the provider takes it. `answered` counts the replies so far. */
  refuse?(body: Body, answered: number): ModelStep | null;
  /** The reply in the provider's form; default: as OpenAI streams it. */
  reply?(turn: ScriptedTurn, body: Body): ModelStep;
  /** True where its model never sees the turn's question, so that the turn is still to come. */
  losesTurn?(body: Body): boolean;
}

/** A refusal with a message, in OpenAI's form. */
export function refusal(status: number, message: string, code: string | null = null): ModelStep {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}

/** Tokens of the prompt, messages and tools, with four bytes to a token, as endpoints count about. */
export function countPrompt({ messages, tools }: Body): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify([messages, tools])) / 4);
}

/** The usage of a reply of ten tokens. */
export const countUsage = (promptTokens: number) => ({
  prompt_tokens: promptTokens,
  completion_tokens: 10,
  total_tokens: promptTokens + 10,
});

/** A stream of chunks with these deltas and the last `finish_reason`; without a count of the prompt, it has no usage. */
export function stream(
  deltas: readonly object[],
  {
    finish,
    promptTokens,
    fields = {},
  }: { finish: string | null; promptTokens?: number; fields?: object },
): ModelStep {
  const chunks: object[] = deltas.map(delta => ({
    ...fields,
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  chunks.push({
    choices: [{ index: 0, delta: {}, finish_reason: finish }],
    usage: promptTokens === undefined ? undefined : countUsage(promptTokens),
  });
  const events = chunks.map(
    c =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...c })}\n\n`,
  );
  return { raw: `${events.join('')}data: [DONE]\n\n` };
}

/** The calls of a turn as one delta. */
export function listCalls(turn: ScriptedTurn) {
  return (turn.calls ?? []).map((call, index) => ({
    index,
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

/** The script as the provider plays it; a refused request does not use up a turn. */
export function playedBy(
  { refuse, reply, losesTurn }: Provider,
  turns: readonly ScriptedTurn[],
): Script {
  let answered = 0;
  return body => {
    const refused = refuse?.(body, answered) ?? null;
    if (refused !== null) return refused;
    const turn = turns[answered];
    if (losesTurn?.(body) !== true) answered += 1;
    if (turn === undefined) return refusal(400, 'the script is used up');
    return reply === undefined ? turn : reply(turn, body);
  };
}

/** The same provider where it does not stream: it refuses to, and replies in one body. */
export function withoutStream(provider: Provider): Provider {
  return {
    ...provider,
    name: `${provider.name}, without a stream`,
    refuse: (body, answered) =>
      (body.stream as boolean)
        ? refusal(400, 'Streaming is not supported for this model.')
        : (provider.refuse?.(body, answered) ?? null),
    reply: (turn, body) => wholeOf(provider.reply?.(turn, body) ?? turn, body),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A streamed reply as one body: deltas joined, calls without their index. */
function wholeOf(step: ModelStep, request: Body): ModelStep {
  if ('status' in step) return step;
  const deltas = 'raw' in step ? deltasIn(step.raw) : [scriptedDelta(step as ScriptedTurn)];
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: Fields[] = [];
  for (const { tool_calls, ...fields } of deltas) {
    for (const [name, value] of Object.entries(fields))
      message[name] = typeof value === 'string' ? `${message[name] ?? ''}${value}` : value;
    for (const { index: _, ...call } of (tool_calls ?? []) as Fields[]) calls.push(call);
  }
  message.role = 'assistant';
  if (calls.length > 0) message.tool_calls = calls;
  const usage = countUsage(countPrompt(request));
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const choices = [{ index: 0, message, finish_reason }];
  const about = { id: 'x', object: 'chat.completion', created: 1, model: 'm' };
  return { status: 200, body: { ...about, choices, usage } };
}

function deltasIn(raw: string): readonly Fields[] {
  const chunks = raw.match(/^data: \{.*$/gm) ?? [];
  return chunks.map(c => JSON.parse(c.slice('data: '.length)).choices[0].delta as Fields);
}

function scriptedDelta(turn: ScriptedTurn): Fields {
  return { content: turn.text ?? null, ...turn.reasoning, tool_calls: listCalls(turn) };
}
