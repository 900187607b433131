/** DeepSeek, thinking: the reasoning of a turn with calls must come back with it. */
import { type Provider, refusal } from './provider.ts';

export const deepseek: Provider = {
  name: 'DeepSeek, thinking',
  source: 'https://github.com/earendil-works/pi/issues/3636',
  refuse: body => {
    const lacks = body.messages.some(
      m => m.role === 'assistant' && m.tool_calls !== undefined && !('reasoning_content' in m),
    );
    return lacks
      ? refusal(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.')
      : null;
  },
  reply: turn => ({
    ...turn,
    reasoning: { reasoning_content: 'I look at what the task needs, step by step.' },
  }),
};
