/** An OpenTelemetry collector that keeps what it receives, or fails as real ones do. */
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { serve } from './serve.ts';

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

/** How the collector answers. The specification of OTLP names 429 and 503. */
export type CollectorMood = 'takes' | 'busy' | 'refuses' | 'redirects' | 'silent';

export async function startCollector(mood: CollectorMood = 'takes') {
  const received: Received[] = [];
  const { url, close } = await serve(async (request, response) => {
    const bytes = await buffer(request);
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text.toString('utf8')),
    });
    answer(response, mood);
  });
  return { url, received, close };
}

function answer(response: ServerResponse, mood: CollectorMood): void {
  const json = { 'content-type': 'application/json' };
  if (mood === 'takes') response.writeHead(200, json).end('{"partialSuccess":{}}');
  else if (mood === 'busy') response.writeHead(503, { 'retry-after': '30' }).end();
  else if (mood === 'refuses') response.writeHead(400, json).end('{"code":3,"message":"bad"}');
  else if (mood === 'redirects')
    response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end();
}
