/**
 * Ollama: each parallel call has the index 0, in a chunk of its own; every chunk has its fingerprint. A prompt that is
 * longer than the context loses its beginning, and half of the context is counted (ollama/ollama#17427).
 */
import { listCalls, type Provider, stream } from './provider.ts';

/** Ollama with a context of so many tokens; it has no error for a longer prompt. */
export function ollama(context: number): Provider {
  return {
    name: `Ollama, ${context} tokens`,
    source: 'https://github.com/ollama/ollama/issues/15457',
    reply: (turn, body) => {
      const tokens = Math.ceil(JSON.stringify(body).length / 4);
      return stream(
        [
          { role: 'assistant', content: turn.text ?? '' },
          ...listCalls(turn).map(call => ({ tool_calls: [{ ...call, index: 0 }] })),
        ],
        {
          finish: 'tool_calls',
          promptTokens: tokens <= context ? tokens : context / 2 + 2,
          fields: { system_fingerprint: 'fp_ollama' },
        },
      );
    },
  };
}
