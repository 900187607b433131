/** Asks a model endpoint what `photon doctor --model` reports: tools, streaming and context window. */
import { PhotonError } from '../base/codes.ts';
import { asObject, parseJson } from '../base/schema-issue.ts';
import { type ModelOptions, openModel } from './client.ts';
import { readCall } from './reading/read-call.ts';
import type { TokenUsage, ToolDefinition, Turn } from './turn.ts';

/** What an endpoint was found to do. Undefined: not known. */
export interface ModelReport {
  readonly model: string;
  readonly baseUrl: string;
  /** Undefined when the endpoint answered no request at all; `failure` says why. */
  readonly tools: boolean | undefined;
  readonly streams: boolean | undefined;
  readonly window: ModelWindow;
  readonly failure: PhotonError | undefined;
  /** True if the endpoint answers a request without tools. */
  readonly plain: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The context window: at least as large as the probe, or smaller, and cut without an error or refused. */
export type ModelWindow =
  | { readonly kind: 'at-least' | 'cut'; readonly tokens: number }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unknown' };

/** Room for a reply, with the reasoning that some models put before it. */
const maxReplyTokens = 1_000;

/** Most tokens that an examination uses, roughly: what a person is told before it begins. */
export const examinationTokens = { input: 8_000, output: 3 * maxReplyTokens } as const;

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
 * Examines an endpoint through the client that a run uses, with at most three requests. Never throws for what the
 * endpoint does.
 * @throws PhotonError `CANCELLED`, `BUDGET_TIME`.
 */
export async function examineModel(options: ExaminationOptions): Promise<ModelReport> {
  const examination = openExamination(options);
  const { ask, used, streamed } = examination;
  const one = await tryTurn(options, () =>
    ask('Call report_number once, with the number 7. Write nothing else.', [report]),
  );
  const answered = 'turn' in one ? reportsSeven(one.turn) : undefined;
  const mayAnswer = answered === false || ('failure' in one && isRefusal(one.failure));
  const plain = mayAnswer
    ? 'turn' in (await tryTurn(options, () => ask('Say: ready')))
    : answered !== undefined;
  return {
    model: options.model,
    baseUrl: options.baseUrl,
    // an endpoint that answers nothing at all says nothing of its tools
    tools: answered ?? (plain ? false : undefined),
    plain,
    streams: streamed(),
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

function reportsSeven({ calls }: Turn): boolean {
  return calls.some(call => {
    const { name, argumentsText } = readCall(call, [report]).call;
    return name === report.name && asObject(parseJson(argumentsText)).number === 7;
  });
}

/** Tokens of the probe, roughly: more than the 4,096 that some local servers cut to. */
const probeTokens = 6_000;
const codeWord = 'heliotrope';

/** What happens to a prompt of 6,000 tokens. */
async function findWindow(options: ExaminationOptions, { ask }: Examination): Promise<ModelWindow> {
  const lines = Array.from({ length: probeTokens / 10 }, (_, i) => `Line ${i}: nothing is here.`);
  const prompt = `The code word is ${codeWord}.\n${lines.join('\n')}\nWrite the code word and nothing else.`;
  const found = await tryTurn(options, () => ask(prompt));
  if ('failure' in found) return { kind: 'refused', message: found.failure.message };
  const { text, usage } = found.turn;
  return text.toLowerCase().includes(codeWord)
    ? { kind: 'at-least', tokens: usage.inputTokens }
    : { kind: 'cut', tokens: usage.inputTokens };
}
