/** Ollama: each parallel call has the index 0, in a chunk of its own; content is empty beside calls. */
import { callsOf, type Provider, stream } from './provider.ts';

export const ollama: Provider = {
  name: 'Ollama',
  source: 'https://github.com/ollama/ollama/issues/15457',
  reply: turn =>
    stream(
      [
        { role: 'assistant', content: turn.text ?? '' },
        ...callsOf(turn).map(call => ({ tool_calls: [{ ...call, index: 0 }] })),
      ],
      { finish: 'tool_calls' },
    ),
};
