/** Proxies: one JSON body though a stream was asked for, arguments as an object, no finish, no usage, no options. */
import { listCalls, type Provider, refusal, stream } from './provider.ts';

/** A whole reply, whatever was asked for. */
export const wholeReply: Provider = {
  name: 'a proxy that does not stream',
  source: 'https://github.com/BerriAI/litellm/issues (one JSON body for stream: true)',
  reply: turn => ({
    status: 200,
    body: {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: turn.text ?? null,
            tool_calls: listCalls(turn).map(({ index: _, ...call }, i) => ({
              ...call,
              function: { name: call.function.name, arguments: turn.calls?.[i]?.arguments },
            })),
          },
        },
      ],
    },
  }),
};

/** A stream without `finish_reason` and usage, from an endpoint that takes no `stream_options`. */
export const bareStream: Provider = {
  name: 'a proxy with a bare stream',
  source: 'https://github.com/cline/cline/issues (no finish_reason, stream_options refused)',
  refuse: body => {
    if ('stream_options' in body)
      return refusal(400, 'Unrecognized request argument supplied: stream_options');
    const { max_tokens: limit } = body;
    return typeof limit === 'number' && limit > 4096
      ? refusal(
          400,
          `max_tokens is too large: ${limit}. This model supports at most 4096 completion tokens.`,
        )
      : null;
  },
  reply: turn =>
    stream([{ content: turn.text ?? '' }, { tool_calls: listCalls(turn) }], {
      finish: null,
    }),
};
