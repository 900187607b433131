import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Body, type ModelDouble, type Script, startModel } from '../../doubles/model.ts';
import { discard, makeFolder } from '../../harness.ts';
import { startPhoton } from '../../process.ts';

let folder: string;
let model: ModelDouble | undefined;
let server: Server | undefined;

beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await model?.close();
  server?.closeAllConnections();
  server?.close();
  model = undefined;
  server = undefined;
  discard(folder);
});

/** `photon doctor --model` against an address. */
async function examine(url: string, ...more: string[]) {
  return startPhoton({
    args: ['doctor', '--model', '--repo', folder, ...more],
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      PHOTON_BASE_URL: url,
      PHOTON_API_KEY: 'key-of-the-test',
      PHOTON_MODEL: 'double',
    },
  });
}

async function scripted(script: Script, ...more: string[]) {
  model = await startModel(script);
  return examine(model.url, ...more);
}

const promptOf = (body: Body) => String(body.messages[0]?.content);
const call = (number: number) => ({ name: 'report_number', arguments: { number } });
const good = (body: Body) => (body.tools ? { calls: [call(7)] } : { text: 'heliotrope' });

describe('photon doctor --model', () => {
  it('says what the endpoint can do, what that cost, and nothing of the machine', async () => {
    const { code, out, err } = await scripted(good);
    expect(err).toContain('Asking double at http://127.0.0.1');
    expect(err).toContain('8000 input and 3000 output tokens at most');
    for (const name of ['tools', 'stream', 'window'])
      expect(out).toMatch(new RegExp(`^ {2}holds {3}${name} `, 'm'));
    const counts = (model?.requests ?? []).map(({ bytes }) => Math.ceil(bytes / 4));
    const sum = counts.reduce((total, count) => total + count, 0);
    expect(out).toContain(`at least ${counts.at(-1)} tokens`);
    expect(out).toContain(`used:    ${sum} input tokens, 100 output tokens`);
    expect(out).toContain('The settings fit this endpoint.');
    expect(out).not.toContain('sandbox:');
    expect(code).toBe(0);
    expect(model?.requests).toHaveLength(2);
  });

  it.each([
    ['refuses tools', { status: 400, body: { error: { message: 'tools are not supported' } } }],
    ['answers in text', { text: 'I report the number 7.' }],
  ])('names the profile for a model that %s, and is content once it is set', async (_, reply) => {
    const script = (body: Body) => (body.tools ? reply : { text: 'heliotrope' });
    const before = await scripted(script);
    expect(before.out).toMatch(/^ {2}MISSING tools /m);
    expect(before.out).toContain('Set agent-profile: kjxlkj-agent.');
    expect(before.code).toBe(1);
    await model?.close();
    const after = await scripted(script, '--agent-profile', 'kjxlkj-agent');
    expect(after.out).toContain('The settings fit this endpoint.');
    expect(after.code).toBe(0);
  });

  // ollama/ollama#18107: a prompt beyond the window loses its beginning, without an error
  it('finds an endpoint that cuts a long prompt without an error', async () => {
    const { code, out } = await scripted(body =>
      promptOf(body).startsWith('The code word')
        ? { text: 'I see no word.', usage: { prompt_tokens: 4096, completion_tokens: 5 } }
        : good(body),
    );
    expect(out).toContain('a long prompt was cut, and counted as 4096 tokens');
    expect(out).toContain('OLLAMA_CONTEXT_LENGTH');
    expect(code).toBe(1);
  });

  it('says that an endpoint sends its reply in one piece', async () => {
    const args = JSON.stringify({ number: 7 });
    const called = { index: 0, id: 'call_7', function: { name: 'report_number', arguments: args } };
    const message = { content: 'heliotrope', tool_calls: [called] };
    const whole = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const { code, out } = await examine(await serve(JSON.stringify(whole)));
    expect(out).toMatch(/^ {2}MISSING stream /m);
    expect(out).toMatch(/^ {2}holds {3}tools /m);
    expect(code).toBe(0);
  });

  it('ends with the code and its cure at a broken endpoint', async () => {
    const { code, out } = await scripted(() => ({
      status: 401,
      body: { error: { message: 'wrong key' } },
    }));
    expect(out).toMatch(/^ {2}\? {7}tools /m);
    expect(out).toContain('help: MODEL_AUTH: Check that the key is correct');
    expect(out).not.toContain('key-of-the-test');
    expect(code).toBe(1);
    expect(model?.requests).toHaveLength(1);
  });

  it('takes the name of the model behind the option, and needs one', async () => {
    model = await startModel(good);
    const named = await examine(model.url, 'another');
    expect(named.err).toContain('Asking another at');
    const none = await examine(model.url, 'builtin');
    expect(none.err).toContain('MODEL_MISSING');
    expect(none.code).toBe(1);
  });
});

/** An endpoint with the same whole reply for every request. */
async function serve(reply: string): Promise<string> {
  const started = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(reply);
  });
  server = started;
  await new Promise<void>(done => started.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/v1`;
}
