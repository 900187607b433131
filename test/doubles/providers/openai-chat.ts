/**
 * OpenAI's chat completions, as https://platform.openai.com/docs/api-reference/chat describes them. Strict: what its
 * schema does not hold, call ids that are not unique, and arguments that are no JSON are 400. Replayed from
 * documentation, never seen live.
 */
import { countUsage } from './provider.ts';
import { chatProblems } from './request-schemas.ts';
import type { ProviderTurn, StrictProvider } from './strict-server.ts';

const about = { id: 'x', created: 1, model: 'm' };

const callsOf = ({ calls = [] }: ProviderTurn) =>
  calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));

const finishOf = ({ calls = [] }: ProviderTurn) => (calls.length > 0 ? 'tool_calls' : 'stop');

export const openaiChat: StrictProvider = {
  path: '/v1/chat/completions',
  refusal: (body, headers) =>
    headers.authorization?.startsWith('Bearer ') === true
      ? (chatProblems(body)[0] ?? null)
      : 'You must provide an API key.',
  error: message => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
  reply: (turn, promptTokens) => ({
    ...about,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: turn.text ?? null, tool_calls: callsOf(turn) },
        finish_reason: finishOf(turn),
      },
    ],
    usage: countUsage(promptTokens),
  }),
  events: (turn, promptTokens) => {
    const chunk = (choices: readonly object[], more: object = {}) => ({
      ...about,
      object: 'chat.completion.chunk',
      choices,
      ...more,
    });
    const tool_calls = callsOf(turn).map((call, index) => ({ index, ...call }));
    return [
      chunk([
        { index: 0, delta: { role: 'assistant', content: turn.text ?? '' }, finish_reason: null },
      ]),
      chunk([{ index: 0, delta: { tool_calls }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finishOf(turn) }]),
      chunk([], { usage: countUsage(promptTokens) }),
    ];
  },
};
