/**
 * Azure, both addresses: a deployment with `api-version` and the header `api-key`, and the v1 form with a bearer
 * (https://learn.microsoft.com/azure/ai-services/openai/reference). Replayed from documentation, never seen live.
 */
import type { StrictProvider } from './strict-server.ts';

const known = ['model', 'stream', 'stream_options', 'max_tokens', 'messages', 'tools'];

function azureAt(
  path: string,
  refuseKey: (headers: Readonly<Record<string, unknown>>) => boolean,
): StrictProvider {
  const about = { id: 'x', created: 1, model: 'gpt' };
  const countUsage = (promptTokens: number) => ({
    prompt_tokens: promptTokens,
    completion_tokens: 10,
    total_tokens: promptTokens + 10,
  });
  return {
    path,
    refusal: (body, headers) => {
      if (refuseKey(headers))
        return 'Access denied due to invalid subscription key or wrong API endpoint.';
      const unknown = Object.keys(body).find(name => !known.includes(name));
      return unknown === undefined ? null : `Unrecognized request argument supplied: ${unknown}`;
    },
    error: message => ({ error: { code: null, message } }),
    reply: (turn, promptTokens) => ({
      ...about,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: { role: 'assistant', content: turn.text ?? null, tool_calls: listCalls(turn) },
        },
      ],
      usage: countUsage(promptTokens),
    }),
    events: (turn, promptTokens) => {
      const chunk = (delta: object, finish_reason: string | null) => ({
        ...about,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason }],
      });
      return [
        // the first chunk has the result of the content filter, and no choice
        {
          ...about,
          object: 'chat.completion.chunk',
          choices: [],
          prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
        },
        chunk({ role: 'assistant', content: turn.text ?? '' }, null),
        chunk({ tool_calls: listCalls(turn) }, null),
        chunk({}, 'tool_calls'),
        { ...about, object: 'chat.completion.chunk', choices: [], usage: countUsage(promptTokens) },
      ];
    },
  };
}

const listCalls = ({ calls = [] }: Parameters<StrictProvider['reply']>[0]) =>
  calls.map((call, index) => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

/** The classic address takes a key only in `api-key`. */
export const azureClassic = azureAt(
  '/openai/deployments/gpt/chat/completions?api-version=2024-10-21',
  headers => headers['api-key'] === undefined || headers.authorization !== undefined,
);

/** The v1 address takes it as a bearer. */
export const azureV1 = azureAt(
  '/openai/v1/chat/completions',
  headers => !String(headers.authorization).startsWith('Bearer '),
);
