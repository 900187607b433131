/** A scripted model behind a real OpenAI-compatible endpoint. It plays a list of turns, or misbehaves. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from 'openai/resources/chat/completions';
import { conversationProblems } from './providers/request-schemas.ts';
import { serve } from './serve.ts';
import { xmlText } from './xml-text.ts';

export interface ScriptedCall {
  readonly name: string;
  readonly arguments: object | string;
  readonly id?: string;
}

export interface ScriptedTurn {
  readonly text?: string;
  /** True: the text is sent as it is, though the turn before had the same one. */
  readonly verbatim?: boolean;
  /** Fields beside the text in which endpoints send reasoning. */
  readonly reasoning?: Readonly<Record<string, unknown>>;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens: number };
  } | null;
  readonly finish?: string | null;
  /** Where the stream ends early. */
  readonly cut?: 'before-headers' | 'after-headers' | 'mid-call' | 'no-done';
}

/** A turn, a plain HTTP answer, raw bytes of a stream, or silence. */
export type ModelStep =
  | ScriptedTurn
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly raw: string; readonly type?: string }
  | { readonly stall: true };

export type Body = ChatCompletionCreateParamsStreaming;
export type Script =
  | readonly ModelStep[]
  | ((body: Body, index: number) => ModelStep | Promise<ModelStep>);

export interface ModelRequestSeen {
  readonly body: Body;
  readonly bytes: number;
  readonly headers: IncomingMessage['headers'];
}

export interface ModelDouble {
  readonly url: string;
  readonly requests: ModelRequestSeen[];
  /** What was played. */
  readonly played: ModelStep[];
  /** Violations of the protocol by requests; tests expect none. */
  readonly violations: string[];
  close(): Promise<void>;
}

/** Starts the endpoint on a free port of 127.0.0.1. It answers 400 after the end of the script. */
export async function startModel(script: Script): Promise<ModelDouble> {
  const requests: ModelRequestSeen[] = [];
  const played: ModelStep[] = [];
  const violations: string[] = [];
  const { url, close } = await serve(async (request, response) => {
    const text = await buffer(request);
    const body = JSON.parse(text.toString('utf8')) as Body;
    // a gateway that serves chat completions alone
    if (request.url === '/v1/responses') {
      response.writeHead(404).end('404 page not found');
      return;
    }
    const index = requests.length;
    requests.push({ body, bytes: text.length, headers: request.headers });
    violations.push(...formProblems(request.url ?? '', body));
    const scripted = typeof script === 'function' ? await script(body, index) : script[index];
    const step = scripted === undefined ? undefined : sayAnew(scripted, played.at(-1), index);
    if (step !== undefined) played.push(step);
    const reply = step ?? { status: 400, body: { error: { message: 'the script is used up' } } };
    await play(inForm(withUsage(reply, text.length), body), response);
  });
  return { url: `${url}/v1`, requests, played, violations, close };
}

/** A turn that states no usage has four bytes to a token, as endpoints count about. */
function withUsage(step: ModelStep, bytes: number): ModelStep {
  if ('status' in step || 'raw' in step || 'stall' in step || step.usage !== undefined) return step;
  return { ...step, usage: { prompt_tokens: Math.ceil(bytes / 4), completion_tokens: 50 } };
}

/** A model words its thoughts anew: a text that the last turn had as well gets a number, unless the test wants it as it is. */
export function sayAnew<T extends ModelStep>(
  step: T,
  last: ModelStep | undefined,
  index: number,
): T {
  if (!('text' in step) || step.verbatim === true || last === undefined) return step;
  const { text = '' } = step;
  const before = 'text' in last ? (last.text ?? '') : '';
  const same = text !== '' && before.replace(numbered, '') === text;
  return same ? { ...step, text: `${text} (${index + 1})` } : step;
}

const numbered = / \(\d+\)$/;

/** A model without tools in the request writes its calls as tags. */
function inForm(step: ModelStep, body: Body): ModelStep {
  const scripted = !('status' in step || 'raw' in step || 'stall' in step);
  if (body.tools !== undefined || !scripted || step.calls === undefined) return step;
  const { calls, text = '', ...turn } = step;
  return { ...turn, text: xmlText(text, calls) };
}

/** The rules of the conversation that real endpoints enforce. */
function formProblems(url: string, body: Body): string[] {
  const problems: string[] = [];
  if (url !== '/v1/chat/completions') problems.push(`unknown path ${url}`);
  if (typeof body.stream !== 'boolean') problems.push('neither streaming nor not');
  problems.push(...conversationProblems({ ...body }));
  for (const message of body.messages) {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    // OpenAI: "Invalid 'messages[2].tool_calls': array too long. Expected an array with maximum length 128"
    if (calls.length > 128) problems.push(`${calls.length} tool_calls in one message`);
    // OpenAI: "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'"
    for (const call of calls)
      if (call.type === 'function' && !/^[\w-]{1,64}$/.test(call.function.name))
        problems.push(`a call of ${JSON.stringify(call.function.name)}, which is no name`);
  }
  for (const tool of body.tools ?? [])
    if (tool.type !== 'function' || !/^[\w-]{1,64}$/.test(tool.function.name))
      problems.push('a tool of a wrong form');
  return problems;
}

async function play(step: ModelStep, response: ServerResponse): Promise<void> {
  if ('stall' in step) return;
  if ('status' in step) {
    const json = typeof step.body !== 'string';
    response.writeHead(step.status, {
      'content-type': json ? 'application/json' : 'text/html',
      ...step.headers,
    });
    response.end(json ? JSON.stringify(step.body ?? {}) : step.body);
    return;
  }
  if ('raw' in step) {
    response.writeHead(200, { 'content-type': step.type ?? 'text/event-stream' });
    response.end(step.raw);
    return;
  }
  if (step.cut === 'before-headers') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = chunksOf(step).map(c => `data: ${JSON.stringify(c)}\n\n`);
  const shown =
    step.cut === 'after-headers'
      ? []
      : step.cut === 'mid-call'
        ? events.slice(0, Math.max(1, events.length - 2))
        : events;
  for (const event of shown)
    await new Promise<void>(resolve => response.write(event, () => resolve()));
  if (step.cut === 'after-headers' || step.cut === 'mid-call') {
    response.flushHeaders();
    setImmediate(() => response.socket?.destroy());
    return;
  }
  response.end(step.cut === 'no-done' ? '' : 'data: [DONE]\n\n');
}

type Delta = ChatCompletionChunk.Choice.Delta;

function chunk(
  delta: Delta,
  finish: string | null,
  usage?: ScriptedTurn['usage'],
): ChatCompletionChunk {
  const choices = [
    { index: 0, delta, finish_reason: finish as ChatCompletionChunk.Choice['finish_reason'] },
  ];
  const counted = usage
    ? { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }
    : {};
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'double',
    choices,
    ...counted,
  };
}

/** A turn in realistic pieces: word by word, arguments in parts, the usage at the end. */
function chunksOf(turn: ScriptedTurn): ChatCompletionChunk[] {
  const chunks = [chunk({ role: 'assistant', content: '' }, null)];
  for (const [field, value] of Object.entries(turn.reasoning ?? {}))
    chunks.push(chunk({ [field]: value } as Delta, null));
  for (const word of (turn.text ?? '').match(/\s*\S+\s*/g) ?? [])
    chunks.push(chunk({ content: word }, null));
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const args =
      typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    const id = call.id ?? `call_${index}`;
    chunks.push(
      chunk(
        {
          tool_calls: [
            { index, id, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        },
        null,
      ),
    );
    const size = Math.max(8, Math.ceil(args.length / 4));
    for (let i = 0; i < args.length; i += size)
      chunks.push(
        chunk({ tool_calls: [{ index, function: { arguments: args.slice(i, i + size) } }] }, null),
      );
  }
  const finish =
    turn.finish === undefined
      ? (turn.calls ?? []).length > 0
        ? 'tool_calls'
        : 'stop'
      : turn.finish;
  chunks.push(chunk({}, finish));
  if (turn.usage) chunks.push({ ...chunk({}, null, turn.usage), choices: [] });
  return chunks;
}
