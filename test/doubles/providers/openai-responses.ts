/**
 * The Responses API of OpenAI, as its SDK types it (node_modules/openai/resources/responses/responses.d.ts 6.x) and
 * https://platform.openai.com/docs/api-reference/responses-streaming describes its events. Strict: an unknown
 * parameter, a result without its call, a call without its result, and a reasoning item without encrypted content
 * or without the item that follows it are 400. Replayed from documentation, never seen live.
 */
import { responsesProblems } from './request-schemas.ts';
import { type ProviderTurn, type StrictProvider, unknownField } from './strict-server.ts';

const known = [
  ...['model', 'stream', 'store', 'include', 'reasoning', 'input', 'max_output_tokens', 'tools'],
  ...['prompt_cache_key', 'temperature'],
];

type Item = Readonly<Record<string, unknown>>;

const reasoning = (n: number, text: string): Item => ({
  type: 'reasoning',
  id: `rs_${n}`,
  summary: [{ type: 'summary_text', text }],
  encrypted_content: `secret-${n}`,
});

/** The items of a reply: reasoning before the text, and again before the last call. */
function itemsOf({ text, reasoning: thought, calls = [] }: ProviderTurn): readonly Item[] {
  const half = thought === undefined ? 0 : thought.indexOf(' ') + 1;
  return [
    ...(thought === undefined ? [] : [reasoning(1, thought.slice(0, half))]),
    ...(text === undefined
      ? []
      : [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            phase: 'commentary',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.flatMap((call, i) => [
      ...(i === calls.length - 1 && thought !== undefined
        ? [reasoning(2, thought.slice(half))]
        : []),
      {
        type: 'function_call',
        id: `fc_${i}`,
        call_id: call.id,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
        status: 'completed',
      },
    ]),
  ];
}

/** A whole reply. Two thirds of the input tokens were cached, a quarter was written. */
export function responsesReply(turn: ProviderTurn, promptTokens = 120) {
  const [cached_tokens, cache_write_tokens] = [
    Math.floor((promptTokens * 2) / 3),
    Math.floor(promptTokens / 4),
  ];
  return {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: itemsOf(turn),
    usage: {
      input_tokens: promptTokens,
      input_tokens_details: { cached_tokens, cache_write_tokens },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: promptTokens + 9,
    },
  };
}

/** The events of the same reply. */
export function responsesEvents(turn: ProviderTurn, promptTokens?: number): readonly object[] {
  const response = responsesReply(turn, promptTokens);
  const items = response.output.flatMap((item, output_index): object[] => {
    const added = { type: 'response.output_item.added', output_index, item: opened(item) };
    const done = { type: 'response.output_item.done', output_index, item };
    const about = { item_id: item.id, output_index };
    return [added, ...deltasOf(item).map(delta => ({ ...delta, ...about })), done];
  });
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items,
    { type: 'response.completed', response },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

const opened = (item: Item): Item => ({
  ...item,
  status: 'in_progress',
  ...(item.type === 'function_call' ? { arguments: '' } : {}),
});

function deltasOf(item: Item): object[] {
  if (item.type === 'function_call') {
    const text = item.arguments as string;
    return [
      ...(text.match(/.{1,7}/gs) ?? []).map(delta => ({
        type: 'response.function_call_arguments.delta',
        delta,
      })),
      { type: 'response.function_call_arguments.done', arguments: text },
    ];
  }
  if (item.type !== 'message') return [];
  const [{ text }] = item.content as [{ text: string }];
  return [{ type: 'response.output_text.delta', content_index: 0, delta: text }];
}

export const openaiResponses: StrictProvider = {
  path: '/responses',
  reply: responsesReply,
  events: responsesEvents,
  error: message => ({
    error: { message, type: 'invalid_request_error', code: null, param: null },
  }),
  refusal: (body, headers) => {
    if (!headers.authorization?.startsWith('Bearer ')) return 'You must provide an API key.';
    const field = unknownField(body, known);
    if (field !== undefined) return `Unknown parameter: '${field}'.`;
    const bare = (body.input as readonly Item[]).find(
      item => item.type === 'reasoning' && typeof item.encrypted_content !== 'string',
    );
    if (bare !== undefined) return `Item '${bare.id}' not found.`;
    return responsesProblems(body)[0] ?? null;
  },
};
