/** OpenAI gpt-5.6 and later on chat completions: tools only with an explicit effort of none. */
import { type Provider, refusal } from './provider.ts';

export const openaiEffort: Provider = {
  name: 'OpenAI, a model that reasons',
  source: 'https://github.com/crewAIInc/crewAI/issues/6660',
  refuse: body =>
    body.tools !== undefined && body.reasoning_effort !== 'none'
      ? refusal(
          400,
          "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Use /v1/responses or set reasoning_effort to 'none'.",
        )
      : null,
};
