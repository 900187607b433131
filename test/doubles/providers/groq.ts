/** Groq: a call that its own parser cannot read is a 400, which the next try may not meet. */
import { type Provider, refusal } from './provider.ts';

export function groq(): Provider {
  let failed = false;
  return {
    name: 'Groq',
    source: 'https://github.com/pydantic/pydantic-ai/issues/4354',
    refuse: (_body, answered) => {
      if (answered !== 1 || failed) return null;
      failed = true;
      return refusal(
        400,
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        'tool_use_failed',
      );
    },
  };
}
