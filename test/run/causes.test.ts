/** The cause that an endpoint names is the cause that a person reads, and what cannot change is not asked for again and again. */
import { describe, expect, it } from 'vitest';
import type { ModelStep } from '../doubles/model.ts';
import { serve } from '../doubles/serve.ts';
import { isXml } from '../harness.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const body = (status: number, json: unknown): ModelStep => ({ status, body: json });
const events = (...list: readonly object[]): ModelStep => ({
  raw: list.map(each => `data: ${JSON.stringify(each)}\n\n`).join(''),
});
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});
const loginPage =
  '<!DOCTYPE html><html><head><title>Sign in to Corp</title></head><body>Welcome</body></html>';

/** An address at which nothing listens. */
async function nobody(): Promise<string> {
  const { url, close } = await serve(() => {});
  await close();
  return `${url}/v1`;
}

interface Row {
  readonly step: ModelStep;
  readonly code: string;
  readonly says: string;
  /** Words of the hint. */
  readonly hint?: string;
  /** Most requests that the run makes. */
  readonly requests: number;
}

const rows: Readonly<Record<string, Row>> = {
  'DeepSeek: insufficient balance, 402': {
    step: body(402, { error: { message: 'Insufficient Balance', type: 'unknown_error' } }),
    code: 'MODEL_REQUEST',
    says: 'Insufficient Balance',
    hint: 'credit',
    requests: 1,
  },
  'Moonshot: a quota, 429': {
    step: body(429, {
      error: {
        message: 'Your account is suspended, please check your plan',
        type: 'exceeded_current_quota_error',
      },
    }),
    code: 'MODEL_RATE_LIMIT',
    says: 'Your account is suspended',
    hint: 'credit',
    requests: 1,
  },
  'a quota in the body of a 200': {
    step: body(200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    code: 'MODEL_REQUEST',
    says: 'insufficient balance',
    hint: 'credit',
    requests: 1,
  },
  'vLLM: an error object inside a stream': {
    step: events({
      object: 'error',
      message: 'The engine is dead',
      type: 'BadRequestError',
      code: 400,
    }),
    code: 'MODEL_REQUEST',
    says: 'The engine is dead',
    requests: 1,
  },
  'a login page with 200': {
    step: { status: 200, body: loginPage },
    code: 'MODEL_REQUEST',
    says: 'Sign in to Corp',
    hint: 'base-url',
    requests: 1,
  },
  'a feature that the server does not have, 501': {
    step: body(501, { error: { message: 'chat is not implemented here' } }),
    code: 'MODEL_UNAVAILABLE',
    says: 'not implemented here',
    requests: 1,
  },
  'a refusal of the model': {
    step: events(
      chunk({ role: 'assistant', refusal: 'I cannot help with ' }),
      chunk({ refusal: 'that order.' }),
      chunk({}, 'stop'),
    ),
    code: 'MODEL_OUTPUT',
    says: 'I cannot help with that order.',
    hint: 'model.fallbacks',
    requests: 2,
  },
  'a filter, with the text before it': {
    step: events(chunk({ content: 'The key of this' }), chunk({}, 'content_filter')),
    code: 'MODEL_OUTPUT',
    says: 'The key of this',
    hint: 'model.fallbacks',
    requests: 2,
  },
  'Azure: a filter of the prompt': {
    step: body(400, {
      error: {
        message: "The prompt triggered Azure OpenAI's content management policy",
        code: 'content_filter',
      },
    }),
    code: 'MODEL_REQUEST',
    says: 'content management policy',
    hint: 'model.fallbacks',
    requests: 1,
  },
};

describe.skipIf(isXml)('the cause that an endpoint names', () => {
  it.each(sample('causes', Object.entries(rows), 2))('%s', async (_name, row) => {
    await play({ script: () => row.step }, ({ outcome, model, log }) => {
      expect(outcome, log).toMatchObject({ status: 'failed', code: row.code });
      expect(outcome.message).toContain(row.says);
      expect(outcome.hint).toContain(row.hint ?? '');
      expect(model.requests.length).toBeLessThanOrEqual(row.requests);
    });
  });

  it('is that nothing listens at the address', async () => {
    const inputs = { 'base-url': await nobody() };
    await play({ script: [], inputs }, ({ outcome, log }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'MODEL_UNAVAILABLE' });
      expect(outcome.message).toContain('ECONNREFUSED');
      expect(outcome.hint).toContain('server running');
      expect(log.match(/Trying again/g)?.length ?? 0).toBeLessThanOrEqual(2);
    });
  });
});
