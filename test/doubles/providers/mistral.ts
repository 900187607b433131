/** Mistral: unknown fields are 422, call ids have nine letters and digits, and reasoning may not come back. */
import type { ModelStep } from '../model.ts';
import { type Provider, refusal } from './provider.ts';

const known = new Set(['model', 'stream', 'max_tokens', 'messages', 'tools']);

const extra = (...path: readonly string[]): ModelStep => ({
  status: 422,
  body: {
    object: 'error',
    message: {
      detail: [
        { type: 'extra_forbidden', loc: ['body', ...path], msg: 'Extra inputs are not permitted' },
      ],
    },
    type: 'invalid_request_error',
  },
});

export const mistral: Provider = {
  name: 'Mistral',
  source: 'https://github.com/editor-code-assistant/eca/issues/231',
  refuse: body => {
    const field = Object.keys(body).find(key => !known.has(key));
    if (field !== undefined) return extra(field);
    for (const [i, message] of body.messages.entries()) {
      if ('reasoning_content' in message) return extra('messages', `${i}`, 'reasoning_content');
      const ids =
        message.role === 'assistant'
          ? (message.tool_calls ?? []).map(c => c.id)
          : message.role === 'tool'
            ? [message.tool_call_id]
            : [];
      const bad = ids.find(id => !/^[A-Za-z0-9]{9}$/.test(id));
      if (bad !== undefined)
        return refusal(
          400,
          `Tool call id was ${bad} but must be a-z, A-Z, 0-9, with a length of 9.`,
        );
    }
    return null;
  },
};
