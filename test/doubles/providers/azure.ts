/**
 * Azure, both addresses: a deployment with `api-version` and the header `api-key`, and the v1 form with a bearer
 * (https://learn.microsoft.com/azure/ai-services/openai/reference). Replayed from documentation, never seen live.
 */
import { openaiChat } from './openai-chat.ts';
import type { StrictProvider } from './strict-server.ts';

const known = ['model', 'stream', 'stream_options', 'max_tokens', 'messages', 'tools'];

function azureAt(
  path: string,
  refuseKey: (headers: Readonly<Record<string, unknown>>) => boolean,
): StrictProvider {
  return {
    ...openaiChat,
    path,
    refusal: (body, headers) => {
      if (refuseKey(headers))
        return 'Access denied due to invalid subscription key or wrong API endpoint.';
      const unknown = Object.keys(body).find(name => !known.includes(name));
      return unknown === undefined ? null : `Unrecognized request argument supplied: ${unknown}`;
    },
    error: message => ({ error: { code: null, message } }),
    events: (turn, promptTokens) => {
      const [first, ...rest] = openaiChat.events(turn, promptTokens);
      const filter = { prompt_index: 0, content_filter_results: {} };
      // the first chunk has the result of the content filter, and no choice
      return [{ ...first, choices: [], prompt_filter_results: [filter] }, { ...first }, ...rest];
    },
  };
}

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
