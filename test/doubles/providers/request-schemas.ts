/**
 * What vendors refuse in a request, as their references describe the bodies and their users quote the errors: unknown
 * fields, call ids that are not unique, arguments that are no JSON object, text that is no Unicode, calls without
 * results. Written from documentation, never seen live.
 * https://platform.openai.com/docs/api-reference/chat/create, .../responses/create and
 * https://platform.claude.com/docs/en/api/messages
 */
import * as z from 'zod';

type Json = Readonly<Record<string, unknown>>;

const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const schema = z.looseObject({ type: z.literal('object') });
const limit = z.int().min(1);
const effort = z.string().min(1);

const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string().startsWith('data:image/') }),
});
const parts = z
  .array(z.union([z.strictObject({ type: z.literal('text'), text: z.string() }), image]))
  .min(1);

/** Fields beside OpenAI's own, which compatible endpoints send and want back. */
const reasoningFields = {
  reasoning_content: z.string().optional(),
  reasoning_details: z.array(z.unknown()).optional(),
};

const chatCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: toolName, arguments: z.string() }),
});

const chatMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string().min(1), parts]) }),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: z.string().nullable(),
      // OpenAI: "array too long. Expected an array with maximum length 128"
      tool_calls: z.array(chatCall).min(1).max(128).optional(),
      ...reasoningFields,
    })
    // OpenAI: "Invalid value for 'content': expected a string, got null" without calls
    .refine(m => m.content !== null || m.tool_calls !== undefined, 'neither content nor calls'),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string().min(1), content: z.string() }),
]);

const chatBody = z.strictObject({
  model: z.string().min(1),
  stream: z.boolean(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  max_tokens: limit.optional(),
  max_completion_tokens: limit.optional(),
  reasoning_effort: effort.optional(),
  prompt_cache_key: z.string().optional(),
  messages: z.array(chatMessage).min(1),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: toolName,
          description: z.string(),
          parameters: schema,
        }),
      }),
    )
    .min(1)
    .optional(),
});

/** What a strict endpoint of chat completions refuses in a body; empty for a good one. */
export function chatProblems(body: Json): readonly string[] {
  return [...checkForm(chatBody, body), ...conversationProblems(body)];
}

/** The same without its schema: what no server takes, whatever fields it knows. */
export function conversationProblems(body: Json): readonly string[] {
  const problems = [...unicodeProblems(body, '')];
  const ids = new Ids();
  for (const message of z.array(anyMessage).safeParse(body.messages).data ?? []) {
    if (message.role === 'tool') {
      ids.answer(message.tool_call_id ?? '');
      continue;
    }
    ids.turn();
    for (const call of message.tool_calls ?? []) {
      ids.call(call.id);
      problems.push(...argumentProblems(call.function.arguments));
    }
  }
  ids.turn();
  return [...problems, ...ids.problems];
}

/** What the conversation is read by. */
const anyMessage = z.looseObject({
  role: z.string(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ arguments: z.string() }) }))
    .optional(),
});

const callId = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const spoken = z.strictObject({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([
    z.string(),
    z
      .array(
        z.union([
          z.strictObject({ type: z.literal('input_text'), text: z.string() }),
          z.strictObject({
            type: z.literal('input_image'),
            image_url: z.string().startsWith('data:image/'),
            detail: z.literal('auto'),
          }),
        ]),
      )
      .min(1),
  ]),
  phase: z.enum(['commentary', 'final_answer']).optional(),
});
const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: callId,
    name: toolName,
    arguments: z.string(),
  }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: callId, output: z.string() }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    content: z.array(z.unknown()).optional(),
    encrypted_content: z.string().min(1),
  }),
]);

const responsesBody = z.strictObject({
  model: z.string().min(1),
  stream: z.boolean(),
  store: z.literal(false),
  include: z.array(z.literal('reasoning.encrypted_content')).optional(),
  reasoning: z
    .strictObject({ effort: effort.optional(), summary: z.literal('auto').optional() })
    .optional(),
  input: z.array(z.union([item, spoken])).min(1),
  max_output_tokens: z.int().min(16).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        name: toolName,
        description: z.string(),
        parameters: schema,
        strict: z.literal(false),
      }),
    )
    .min(1)
    .optional(),
  prompt_cache_key: z.string().max(64).optional(),
  temperature: z.number().optional(),
});

/** The same for the Responses API. */
export function responsesProblems(body: Json): readonly string[] {
  const problems = [...checkForm(responsesBody, body), ...unicodeProblems(body, '')];
  const input = responsesBody.safeParse(body).data?.input ?? [];
  const ids = new Ids();
  for (const [i, one] of input.entries()) {
    if (!('type' in one)) continue;
    const follower = input[i + 1];
    if (one.type === 'function_call_output') ids.answer(one.call_id);
    if (one.type === 'function_call') {
      ids.call(one.call_id);
      problems.push(...argumentProblems(one.arguments));
    }
    const isFollowed =
      follower !== undefined &&
      ('role' in follower
        ? follower.role === 'assistant'
        : follower.type !== 'function_call_output');
    if (one.type === 'reasoning' && !isFollowed)
      problems.push(
        `Item '${one.id}' of type 'reasoning' was provided without its required following item.`,
      );
  }
  ids.turn();
  return [...problems, ...ids.problems];
}

const cache = { cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional() };
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().refine(t => t.trim() !== '', 'text content blocks must be non-empty'),
  ...cache,
});
const block = z.discriminatedUnion('type', [
  text,
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({
      type: z.literal('base64'),
      media_type: z.string().startsWith('image/'),
      data: z.string().min(1),
    }),
    ...cache,
  }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: callId,
    name: toolName,
    input: z.record(z.string(), z.unknown()),
    ...cache,
  }),
  z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: callId,
    content: z.array(text),
    ...cache,
  }),
  z.strictObject({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.string().min(1),
  }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) }),
]);

const messagesBody = z.strictObject({
  model: z.string().min(1),
  stream: z.boolean(),
  max_tokens: limit,
  system: z.array(text).min(1).optional(),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.array(block).min(1) }))
    .min(1),
  tools: z
    .array(z.strictObject({ name: toolName, description: z.string(), input_schema: schema }))
    .min(1)
    .optional(),
  thinking: z
    .strictObject({
      type: z.literal('adaptive'),
      display: z.enum(['summarized', 'omitted']).optional(),
    })
    .optional(),
  output_config: z.strictObject({ effort }).optional(),
  temperature: z.number().optional(),
});

/** The same for Anthropic's Messages. */
export function messagesProblems(body: Json): readonly string[] {
  const problems = [...checkForm(messagesBody, body), ...unicodeProblems(body, '')];
  if ((JSON.stringify(body).match(/"cache_control"/g) ?? []).length > 4)
    problems.push('A maximum of 4 blocks with cache_control may be provided.');
  const ids = new Ids();
  for (const [i, turn] of (messagesBody.safeParse(body).data?.messages ?? []).entries()) {
    if (turn.role !== (i % 2 === 0 ? 'user' : 'assistant')) problems.push('roles must alternate');
    const results = turn.content.filter(b => b.type === 'tool_result');
    if (turn.content.slice(0, results.length).some(b => b.type !== 'tool_result'))
      problems.push(`messages.${i}: tool_result blocks must come first`);
    for (const { tool_use_id } of results) ids.answer(tool_use_id);
    ids.turn();
    for (const one of turn.content) if (one.type === 'tool_use') ids.call(one.id);
  }
  ids.turn();
  return [...problems, ...ids.problems];
}

/** Calls and their results: every id once in the conversation, and every call answered before the next message. */
class Ids {
  readonly problems: string[] = [];
  readonly #seen = new Set<string>();
  #open = new Set<string>();

  call(id: string): void {
    // Anthropic: "`tool_use` ids must be unique"; Responses: "Duplicate function_call_output for call_id"
    if (this.#seen.has(id)) this.problems.push(`the call id ${id} is not unique`);
    this.#seen.add(id);
    this.#open.add(id);
  }

  answer(id: string): void {
    if (!this.#open.delete(id)) this.problems.push(`a result for ${id}, which was not asked for`);
  }

  /** The next message: nothing may be open any more. */
  turn(): void {
    if (this.#open.size > 0)
      this.problems.push(`calls without a result: ${[...this.#open].join(', ')}`);
    this.#open = new Set();
  }
}

function checkForm(form: z.ZodType, body: Json): readonly string[] {
  const { error } = form.safeParse(JSON.parse(JSON.stringify(body)));
  return (error?.issues ?? []).map(issue => `${issue.path.join('.')}: ${issue.message}`);
}

/** vLLM and llama.cpp read the arguments of every earlier call, and refuse the request for one that is no object. */
function argumentProblems(argumentsText: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(argumentsText);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`arguments must be a JSON object: ${argumentsText.slice(0, 80)}`];
    return unicodeProblems(value, 'arguments');
  } catch {
    return [`Unterminated string or no JSON in arguments: ${argumentsText.slice(0, 80)}`];
  }
}

/** Half of a character, as JSON holds it: "no low surrogate in string". */
function unicodeProblems(value: unknown, path: string): readonly string[] {
  if (typeof value === 'string')
    return value.isWellFormed() ? [] : [`${path}: no low surrogate in string`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...unicodeProblems(name, path),
    ...unicodeProblems(inner, `${path}.${name}`),
  ]);
}
