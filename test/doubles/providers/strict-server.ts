/** A model endpoint on 127.0.0.1 that refuses every request which its provider would refuse. */
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { serve } from '../serve.ts';

type Json = Readonly<Record<string, unknown>>;

/** One reply of a provider, in no form yet. */
export interface ProviderTurn {
  readonly text?: string;
  /** Reasoning before the text, and before the last call; shown as one text. */
  readonly reasoning?: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: object;
  }[];
}

export interface StrictProvider {
  readonly path: string;
  /** HTTP status of a refusal; default: 400. */
  readonly status?: number;
  /** Why a request is refused, as the provider says it; null for a good one. */
  refusal(body: Json, headers: IncomingMessage['headers']): string | null;
  /** The body of a refusal. */
  error(message: string): object;
  /** A whole reply, with so many tokens counted for the prompt. */
  reply(turn: ProviderTurn, promptTokens: number): object;
  /** The events of the same reply. */
  events(turn: ProviderTurn, promptTokens: number): readonly object[];
}

export interface StrictServer {
  readonly url: string;
  readonly bodies: Json[];
  readonly refusals: string[];
  close(): Promise<void>;
}

/** What endpoints count, about. */
const bytesPerToken = 4;

/** Starts the provider. It plays the turns in order and answers 400 after the last one. */
export async function startStrict(
  provider: StrictProvider,
  turns: readonly ProviderTurn[],
): Promise<StrictServer> {
  const bodies: Json[] = [];
  const refusals: string[] = [];
  let next = 0;
  const { url, close } = await serve(async (request, response) => {
    const sent = await buffer(request);
    const promptTokens = Math.ceil(sent.length / bytesPerToken);
    const body = JSON.parse(sent.toString('utf8')) as Json;
    bodies.push(body);
    const refusal =
      request.url === provider.path
        ? provider.refusal(body, request.headers)
        : `This model is only supported in v1${provider.path.replace(/^\/v1/, '')} and not in ${request.url?.slice(1)}.`;
    const turn = refusal === null ? turns[next++] : undefined;
    if (turn === undefined) {
      refusals.push(refusal ?? 'the script is used up');
      response.writeHead(provider.status ?? 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(provider.error(refusal ?? 'the script is used up')));
    } else if (body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of provider.events(turn, promptTokens))
        response.write(eventOf(event as Json));
      response.end(provider.path.endsWith('/chat/completions') ? 'data: [DONE]\n\n' : '');
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(provider.reply(turn, promptTokens)));
    }
  });
  return { url, bodies, refusals, close };
}

/** One event of a stream; those of chat completions have no name. */
function eventOf(event: Json): string {
  const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

/** The first name that is not known. */
export function unknownField(body: Json, known: readonly string[]): string | undefined {
  return Object.keys(body).find(name => !known.includes(name));
}
