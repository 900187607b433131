/** `photon doctor --model` takes every input of a model as an option, and asks each kind of endpoint as a run does. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Body, startModel } from '../../doubles/model.ts';
import { messagesEvents } from '../../doubles/providers/anthropic.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

const examine = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startPhoton({
    args: ['doctor', '--model', ...args, '--repo', folder],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  });

interface Seen {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server that answers each request by one function. */
async function serve(
  answer: (seen: Seen) => { status?: number; type?: string; text: string },
): Promise<{ readonly url: string; readonly seen: Seen[]; close(): void }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one = {
        url: request.url ?? '',
        headers: request.headers,
        body: text === '' ? {} : (JSON.parse(text) as Seen['body']),
      };
      seen.push(one);
      const { status = 200, type = 'application/json', text: reply } = answer(one);
      response.writeHead(status, { 'content-type': type });
      response.end(reply);
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const call = (number: number) => ({ name: 'report_number', arguments: { number } });
const good = (body: Body) => (body.tools ? { calls: [call(7)] } : { text: 'heliotrope' });
const asJson = (value: unknown) => ({ text: JSON.stringify(value) });
const completion = (numbers: readonly number[]) => ({
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: numbers.map((number, index) => ({
          index,
          id: `call_${number}`,
          type: 'function',
          function: { name: 'report_number', arguments: JSON.stringify({ number }) },
        })),
      },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

describe('photon doctor --model', () => {
  it('takes address, key, headers, fields and effort as options', async () => {
    const model = await startModel(good);
    try {
      const { out, code } = await examine(
        [
          'double',
          ...['--base-url', model.url, '--api-key', 'key-of-the-option'],
          ...['--model-headers', 'x-team: payments', '--model-body', '{"top_p": 0.5}'],
          ...['--reasoning-effort', 'low', '--api', 'chat'],
        ],
        { PHOTON_BASE_URL: 'http://127.0.0.1:9/v1' },
      );
      expect(out).toContain('The settings fit this endpoint.');
      expect(code).toBe(0);
      for (const { headers, body } of model.requests) {
        expect(headers).toMatchObject({
          authorization: 'Bearer key-of-the-option',
          'x-team': 'payments',
        });
        expect(body).toMatchObject({ top_p: 0.5, reasoning_effort: 'low' });
      }
    } finally {
      await model.close();
    }
  });

  it('speaks the API that is named', async () => {
    const server = await serve(({ body }) => {
      const calls = [{ id: 'call_7', ...call(7) }];
      const turn = body.tools === undefined ? { text: 'heliotrope' } : { calls };
      const events = messagesEvents(turn).map(
        e => `event: ${Object(e).type}\ndata: ${JSON.stringify(e)}\n\n`,
      );
      return { type: 'text/event-stream', text: events.join('') };
    });
    try {
      const args = ['claude-x', '--base-url', server.url, '--api', 'messages', '--api-key', 'k'];
      const { out, code } = await examine(args);
      expect(out).toContain('The settings fit this endpoint.');
      expect(code).toBe(0);
      expect(server.seen.map(({ url }) => url)).toEqual(['/v1/messages', '/v1/messages']);
      for (const { headers } of server.seen) expect(headers['x-api-key']).toBe('k');
    } finally {
      server.close();
    }
  });

  it("asks Azure's classic address with its version and its header", async () => {
    const server = await serve(({ url, body, headers }) => {
      if (headers['api-key'] !== 'azure-key' || headers.authorization !== undefined)
        return { status: 401, text: '{"error":{"message":"wrong key"}}' };
      if (!url.endsWith('?api-version=2024-10-21')) return { status: 404, text: '{}' };
      if (!url.startsWith('/openai/deployments/gpt/chat/completions'))
        return { status: 404, text: '{}' };
      return asJson(
        body.tools === undefined
          ? {
              choices: [
                {
                  index: 0,
                  finish_reason: 'stop',
                  message: { role: 'assistant', content: 'heliotrope' },
                },
              ],
              usage: { prompt_tokens: 6000, completion_tokens: 5, total_tokens: 6005 },
            }
          : completion([7]),
      );
    });
    try {
      const baseUrl = `${server.url}/openai/deployments/gpt?api-version=2024-10-21`;
      const { out } = await examine(['gpt', '--base-url', baseUrl, '--api-key', 'azure-key']);
      expect(out).toContain('at least 6000 tokens');
      const paths = server.seen.map(({ url }) => url);
      expect(
        paths.every(url => url.endsWith('?api-version=2024-10-21')),
        paths.join(),
      ).toBe(true);
      for (const { headers } of server.seen) expect(headers['api-key']).toBe('azure-key');
    } finally {
      server.close();
    }
  });

  it('says nothing of an endpoint that refuses every request but the cause', async () => {
    const reply = { status: 400, text: '{"detail":"this gateway wants a team"}' };
    const server = await serve(() => reply);
    try {
      const { out, code } = await examine(['m', '--base-url', `${server.url}/v1`]);
      for (const name of ['tools', 'stream', 'window'])
        expect(out).toMatch(new RegExp(`^ {2}\\? {7}${name} `, 'm'));
      expect(out).toContain('wants a team');
      expect(out).not.toContain('MISSING');
      expect(code).toBe(1);
    } finally {
      server.close();
    }
  });
});
