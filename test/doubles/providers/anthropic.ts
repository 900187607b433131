/**
 * The Messages API of Anthropic, as https://platform.claude.com/docs/en/api/messages and
 * https://platform.claude.com/docs/en/build-with-claude/streaming describe it. Strict: an extra input, a text block
 * without text, more than four marks for the cache, roles that do not alternate, a tool_use without its result in
 * the next turn, and changed thinking are 400. Replayed from documentation, never seen live.
 */
import { messagesProblems } from './request-schemas.ts';
import { type ProviderTurn, type StrictProvider, unknownField } from './strict-server.ts';

const known = [
  ...['model', 'stream', 'max_tokens', 'system', 'messages', 'tools', 'thinking'],
  ...['output_config', 'temperature'],
];

type Block = Readonly<Record<string, unknown>>;

const thinking = (n: number, text: string): Block => ({
  type: 'thinking',
  thinking: text,
  signature: `secret-${n}`,
});

/** The blocks of a reply: thinking before the text, and again before the last call. */
function blocksOf({ text, reasoning, calls = [] }: ProviderTurn): readonly Block[] {
  const half = reasoning === undefined ? 0 : reasoning.indexOf(' ') + 1;
  return [
    ...(reasoning === undefined ? [] : [thinking(1, reasoning.slice(0, half))]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.flatMap((call, i) => [
      ...(i === calls.length - 1 && reasoning !== undefined
        ? [thinking(2, reasoning.slice(half))]
        : []),
      { type: 'tool_use', id: call.id, name: call.name, input: call.arguments },
    ]),
  ];
}

/** A whole reply. Two thirds of the input tokens were read from the cache, a quarter was written. */
export function messagesReply(turn: ProviderTurn, promptTokens = 120) {
  const [read, written] = [Math.floor((promptTokens * 2) / 3), Math.floor(promptTokens / 4)];
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: blocksOf(turn),
    stop_reason: (turn.calls ?? []).length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: promptTokens - read - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 9,
    },
  };
}

/** The events of the same reply. */
export function messagesEvents(turn: ProviderTurn, promptTokens?: number): readonly object[] {
  const { content, stop_reason, usage, ...message } = messagesReply(turn, promptTokens);
  const blocks = content.flatMap((block, index): object[] => [
    { type: 'content_block_start', index, content_block: emptyBlock(block) },
    ...deltasOf(block).map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
}

function emptyBlock(block: Block): Block {
  if (block.type === 'tool_use') return { ...block, input: {} };
  return block.type === 'text' ? { ...block, text: '' } : { ...block, thinking: '', signature: '' };
}

function deltasOf(block: Block): Block[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text_delta', text: block.text }];
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    default:
      return ['', ...(JSON.stringify(block.input).match(/.{1,7}/gs) ?? [])].map(partial_json => ({
        type: 'input_json_delta',
        partial_json,
      }));
  }
}

export const anthropic: StrictProvider = {
  path: '/v1/messages',
  reply: messagesReply,
  events: messagesEvents,
  error: message => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  refusal: (body, headers) => {
    if (typeof headers['x-api-key'] !== 'string') return 'x-api-key header is required';
    if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required';
    const field = unknownField(body, known);
    if (field !== undefined) return `${field}: Extra inputs are not permitted`;
    const turns = body.messages as readonly { readonly content: readonly Block[] }[];
    const changed = turns.findIndex(({ content }) =>
      content.some(b => b.type === 'thinking' && !/^secret-\d$/.test(String(b.signature))),
    );
    return changed < 0
      ? (messagesProblems(body)[0] ?? null)
      : `messages.${changed}: Invalid \`signature\` in \`thinking\` block`;
  },
};
