/** OpenRouter: an error inside a stream, and a provider that dies in the middle. */
import type { ModelStep, ScriptedTurn } from '../model.ts';
import type { Provider } from './provider.ts';

const chunk = (fields: object) =>
  `: OPENROUTER PROCESSING\n\ndata: ${JSON.stringify({ id: 'gen-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields })}\n\n`;

export function openrouter(): Provider {
  const faults: ModelStep[] = [
    {
      raw: chunk({
        error: { code: 502, message: 'Provider returned error' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
    },
    {
      raw: chunk({
        choices: [
          {
            index: 0,
            delta: {
              tool_calls: [
                { index: 0, id: 'cut', function: { name: 'apply_patch', arguments: '{"files":' } },
              ],
            },
            finish_reason: null,
          },
        ],
      }),
    },
  ];
  return {
    name: 'OpenRouter',
    source: 'https://openrouter.ai/docs/api/reference/errors-and-debugging',
    refuse: (_body, answered) => (answered === 1 ? (faults.shift() ?? null) : null),
    reply: (turn: ScriptedTurn) => turn,
  };
}
