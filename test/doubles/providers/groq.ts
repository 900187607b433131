/** Groq: a call that its own parser cannot read is a 400, which quotes it. A request that repeats itself meets it again. */
import { type Provider, refusal } from './provider.ts';

const generation = '<function=grep{"pattern": "orderTotal"</function>';

export function groq(): Provider {
  return {
    name: 'Groq',
    source: 'https://github.com/pydantic/pydantic-ai/issues/4354',
    refuse: ({ messages }, answered) => {
      const last = messages.at(-1);
      const isCorrected = last?.role === 'user' && String(last.content).includes(generation);
      if (answered !== 1 || isCorrected) return null;
      const { body } = refusal(
        400,
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        'tool_use_failed',
      ) as { body: { error: object } };
      return { status: 400, body: { error: { ...body.error, failed_generation: generation } } };
    },
  };
}
