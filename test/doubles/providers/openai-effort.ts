/** OpenAI gpt-5.6 and later on chat completions: tools only with an explicit effort of none. */
import { type Provider, refusal } from './provider.ts';

export const openaiEffort: Provider = {
  name: 'OpenAI, a model that reasons',
  source: 'https://github.com/crewAIInc/crewAI/issues/6660',
  refuse: body =>
    'max_tokens' in body
      ? refusal(
          400,
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          'unsupported_parameter',
        )
      : body.tools !== undefined && body.reasoning_effort !== 'none'
        ? refusal(
            400,
            "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Use /v1/responses or set reasoning_effort to 'none'.",
          )
        : null,
};
