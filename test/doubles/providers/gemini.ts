/** Gemini 3 on its compatible endpoint: the signature of a call must come back with it. Its ids are unique. */
import { countPrompt, listCalls, type Provider, refusal, stream } from './provider.ts';

const signature = (id: string) => ({ google: { thought_signature: `signed-${id}` } });

export const gemini: Provider = {
  name: 'Gemini, compatible endpoint',
  source: 'https://github.com/securo-finance/securo/issues/884',
  refuse: body => {
    for (const message of body.messages)
      for (const call of message.role === 'assistant' ? (message.tool_calls ?? []) : []) {
        const { extra_content } = call as { extra_content?: object };
        if (JSON.stringify(extra_content) !== JSON.stringify(signature(call.id)))
          return refusal(
            400,
            'Function call is missing a thought_signature in functionCall parts.',
          );
      }
    return null;
  },
  reply: (turn, body) =>
    stream(
      [
        { role: 'assistant', content: turn.text ?? '' },
        {
          tool_calls: listCalls(turn).map(c => {
            const id = `function-call-${body.messages.length}-${c.index}`;
            return { ...c, id, extra_content: signature(id) };
          }),
        },
      ],
      { finish: 'tool_calls', promptTokens: countPrompt(body) },
    ),
};
