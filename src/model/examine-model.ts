/** Asks a model endpoint what `photon doctor --model` reports: tools, streaming, parallel calls and context window. */
import { PhotonError } from '../base/codes.ts';
import { asObject, parseJson } from '../base/schema-issue.ts';
import { apis } from './apis/index.ts';
import { type ModelOptions, openModel } from './client.ts';
import { startFacts } from './endpoint-facts.ts';
import { readCall } from './reading/read-call.ts';
import type { TokenUsage, ToolDefinition, Turn } from './turn.ts';

/** What an endpoint was found to do. Undefined: not known. */
export interface ModelReport {
  readonly model: string;
  readonly baseUrl: string;
  /** Undefined when the endpoint answered no request at all; `failure` says why. */
  readonly tools: boolean | undefined;
  readonly streams: boolean | undefined;
  readonly parallelCalls: boolean | undefined;
  readonly window: ModelWindow;
  readonly failure: PhotonError | undefined;
  /** True if the endpoint answers a request without tools. */
  readonly plain: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The context window: as the endpoint states it, at least as large as the probe, or smaller and cut without an error. */
export type ModelWindow =
  | { readonly kind: 'stated' | 'at-least' | 'cut'; readonly tokens: number }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unknown' };

/** Room for a reply, with the reasoning that some models put before it. */
const maxReplyTokens = 1_000;

/** Most tokens that an examination uses, roughly: what a person is told before it begins. */
export const examinationTokens = { input: 8_000, output: 4 * maxReplyTokens } as const;

const report: ToolDefinition = {
  name: 'report_number',
  description: 'Reports one number.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
  },
};

type ExaminationOptions = Omit<ModelOptions, 'fetch'> & { readonly signal: AbortSignal };

interface Examination {
  readonly ask: (prompt: string, tools?: readonly ToolDefinition[]) => Promise<Turn>;
  readonly used: { input: number; output: number };
  /** Whether the last reply came as a stream; undefined before the first. */
  readonly streamed: () => boolean | undefined;
}

/**
 * Examines an endpoint through the client that a run uses, with at most four requests. Never throws for what the
 * endpoint does.
 * @throws PhotonError `CANCELLED`, `BUDGET_TIME`.
 */
export async function examineModel(options: ExaminationOptions): Promise<ModelReport> {
  const examination = openExamination(options);
  const { ask, used, streamed } = examination;
  const one = await tryTurn(options, () =>
    ask('Call report_number once, with the number 7. Write nothing else.', [report]),
  );
  const answered = 'turn' in one ? readNumbers(one.turn).includes(7) : undefined;
  const mayAnswer = answered === false || ('failure' in one && isRefusal(one.failure));
  const plain = mayAnswer
    ? 'turn' in (await tryTurn(options, () => ask('Say: ready')))
    : answered !== undefined;
  // an endpoint that answers nothing at all says nothing of its tools
  const tools = answered ?? (plain ? false : undefined);
  const both =
    tools === true
      ? await tryTurn(options, () =>
          ask('Call report_number twice in one reply: with 1 and with 2.', [report]),
        )
      : undefined;
  return {
    model: options.model,
    baseUrl: options.baseUrl,
    tools,
    plain,
    streams: streamed(),
    parallelCalls:
      both !== undefined && 'turn' in both ? new Set(readNumbers(both.turn)).size >= 2 : undefined,
    window: plain ? await findWindow(options, examination) : { kind: 'unknown' },
    failure: 'failure' in one ? one.failure : undefined,
    inputTokens: used.input,
    outputTokens: used.output,
  };
}

function openExamination(options: ExaminationOptions): Examination {
  let streamed: boolean | undefined;
  const used = { input: 0, output: 0 };
  const model = openModel({
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (response.ok)
        streamed = response.headers.get('content-type')?.includes('event-stream') ?? false;
      return response;
    },
  });
  return {
    used,
    streamed: () => streamed,
    ask: async (text, tools = []) => {
      const count = ({ inputTokens, outputTokens }: TokenUsage) => {
        used.input += inputTokens;
        used.output += outputTokens;
      };
      const turn = await model.complete(
        {
          bill: { allow: () => maxReplyTokens, discard: count },
          messages: [{ role: 'user', text }],
          tools,
          maxOutputTokens: maxReplyTokens,
          retries: 'fixed',
        },
        options.signal,
      );
      count(turn.usage);
      return turn;
    },
  };
}

async function tryTurn(
  { signal }: ExaminationOptions,
  ask: () => Promise<Turn>,
): Promise<{ readonly turn: Turn } | { readonly failure: PhotonError }> {
  try {
    return { turn: await ask() };
  } catch (error) {
    if (signal.aborted || !(error instanceof PhotonError)) throw error;
    return { failure: error };
  }
}

/** True if the endpoint may answer the same question without tools. */
function isRefusal({ code }: PhotonError): boolean {
  return code === 'MODEL_REQUEST' || code === 'MODEL_OUTPUT' || code === 'MODEL_UNAVAILABLE';
}

function readNumbers({ calls }: Turn): readonly number[] {
  return calls.flatMap(call => {
    const { name, argumentsText } = readCall(call, [report]).call;
    const { number } = asObject(parseJson(argumentsText));
    return name === report.name && typeof number === 'number' ? [number] : [];
  });
}

/** Tokens of the probe, roughly: more than the 4,096 that some local servers cut to. */
const probeTokens = 6_000;
const codeWord = 'heliotrope';

/** What the list of models says, or else what happens to a prompt of 6,000 tokens. */
async function findWindow(options: ExaminationOptions, { ask }: Examination): Promise<ModelWindow> {
  const stated = await statedWindow(options).catch(() => undefined);
  if (stated !== undefined) return { kind: 'stated', tokens: stated };
  const lines = Array.from({ length: probeTokens / 10 }, (_, i) => `Line ${i}: nothing is here.`);
  const prompt = `The code word is ${codeWord}.\n${lines.join('\n')}\nWrite the code word and nothing else.`;
  const found = await tryTurn(options, () => ask(prompt));
  if ('failure' in found) return { kind: 'refused', message: found.failure.message };
  const { text, usage } = found.turn;
  return text.toLowerCase().includes(codeWord)
    ? { kind: 'at-least', tokens: usage.inputTokens }
    : { kind: 'cut', tokens: usage.inputTokens };
}

/**
 * Names of the window in lists of models: `context_length` (OpenRouter), `max_model_len` (vLLM), `context_window`
 * (Groq), `max_context_length` (Mistral), `max_input_tokens` (Anthropic), `n_ctx` (llama.cpp, in `meta`).
 */
const windowNames = [
  'context_length',
  'max_model_len',
  'context_window',
  'max_context_length',
  'max_input_tokens',
  'n_ctx',
];

/** Where an endpoint lists its models. Azure's classic addresses name a deployment, which is no part of that. */
function listAddress(options: ExaminationOptions): URL {
  const url = new URL(options.baseUrl);
  const path = url.pathname.replace(/\/deployments\/[^/]+\/?$|\/$/, '');
  const isBare = startFacts(options).api === 'messages' && !path.endsWith('/v1');
  url.pathname = `${path}${isBare ? '/v1' : ''}/models`;
  return url;
}

/** The headers of a run's requests. */
async function listHeaders(options: ExaminationOptions): Promise<Headers> {
  const key = await options.apiKey();
  const headers = new Headers({ authorization: `Bearer ${key}` });
  const own = apis[startFacts(options).api].headers(key, options.baseUrl);
  for (const [name, value] of Object.entries({ ...own, ...options.extraHeaders }))
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  return headers;
}

async function statedWindow(options: ExaminationOptions): Promise<number | undefined> {
  const response = await fetch(listAddress(options), {
    headers: await listHeaders(options),
    redirect: 'error',
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(10_000)]),
  });
  const { data } = (await response.json()) as { data?: unknown };
  const entry = (Array.isArray(data) ? data : []).find(each => each?.id === options.model);
  const facts: Record<string, unknown> = { ...entry?.meta, ...entry };
  const found = windowNames.map(name => facts[name]).find(n => typeof n === 'number' && n > 0);
  return typeof found === 'number' ? found : undefined;
}
