/** What a provider does differently: the requests that it refuses, and the form of its replies. */
import type { Body, ModelStep, Script, ScriptedTurn } from '../model.ts';

export interface Provider {
  readonly name: string;
  /** Where its behaviour is documented, or was reported. */
  readonly source: string;
  /** The refusal of a request; null when the provider takes it. `answered` counts the replies so far. */
  refuse?(body: Body, answered: number): ModelStep | null;
  /** The reply in the provider's form; default: as OpenAI streams it. */
  reply?(turn: ScriptedTurn): ModelStep;
}

/** A refusal with a message, in OpenAI's form. */
export function refusal(status: number, message: string, code: string | null = null): ModelStep {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } };
}

/** A stream of chunks with these deltas and the last `finish_reason`. */
export function stream(
  deltas: readonly object[],
  { finish, usage = true }: { finish: string | null; usage?: boolean },
): ModelStep {
  const chunks: object[] = deltas.map(delta => ({
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  chunks.push({
    choices: [{ index: 0, delta: {}, finish_reason: finish }],
    ...(usage ? { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } } : {}),
  });
  const events = chunks.map(
    c =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...c })}\n\n`,
  );
  return { raw: `${events.join('')}data: [DONE]\n\n` };
}

/** The calls of a turn as one delta. */
export function callsOf(turn: ScriptedTurn) {
  return (turn.calls ?? []).map((call, index) => ({
    index,
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
}

/** The script as the provider plays it; a refused request does not use up a turn. */
export function playedBy({ refuse, reply }: Provider, turns: readonly ScriptedTurn[]): Script {
  let answered = 0;
  return body => {
    const refused = refuse?.(body, answered) ?? null;
    if (refused !== null) return refused;
    const turn = turns[answered];
    answered += 1;
    if (turn === undefined) return refusal(400, 'the script is used up');
    return reply === undefined ? turn : reply(turn);
  };
}
