import { describe, expect, it } from 'vitest';
import { findCause, readCause } from '../../src/model/failures.ts';
import { webPage } from '../../src/model/retry.ts';

describe('the cause in a body', () => {
  it.each([
    ['OpenAI', { error: { message: 'm', type: 't', code: 'c' } }, 'c', 'm'],
    ['a type without a code', { error: { message: 'm', type: 't', code: null } }, 't', 'm'],
    ['Gemini', [{ error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED' } }], '429', 'm'],
    ['Ollama, LM Studio', { error: 'm' }, '', 'm'],
    ['OAuth', { error: 'invalid_token', error_description: 'old' }, '', 'invalid_token: old'],
    [
      'OpenRouter, with the words of the provider',
      {
        error: {
          code: 402,
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"Insufficient Balance"}}' },
        },
      },
      '402',
      'Provider returned error: Insufficient Balance',
    ],
    ['FastAPI', { detail: 'Not Found' }, '', 'Not Found'],
    [
      'FastAPI, by field',
      { detail: [{ loc: ['body', 'model'], msg: 'Field required' }] },
      '',
      'body.model: Field required',
    ],
    ['vLLM, Mistral', { object: 'error', message: 'm', type: 'invalid', code: 3 }, '3', 'm'],
    ['Zhipu', { code: 1113, msg: '余额不足', success: false }, '1113', '余额不足'],
    [
      'MiniMax',
      { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
      '1008',
      'insufficient balance',
    ],
    ['Cloudflare', { success: false, errors: [{ code: 7003, message: 'm' }] }, '7003', 'm'],
    ['AWS', { __type: 'ThrottlingException', message: 'm' }, 'ThrottlingException', 'm'],
    ['an error without words', { error: { code: 5 } }, '5', '{"code":5}'],
  ])('%s', (_who, body, code, message) => {
    expect(findCause(body)).toEqual({ code, message });
  });

  it.each([
    [{ choices: [], error: null }],
    [{ choices: [{ message: { content: 'x' } }], base_resp: { status_code: 0, status_msg: '' } }],
    [{ type: 'message', content: [] }],
    [{ object: 'chat.completion.chunk', usage: {} }],
    [{ type: 'ping' }],
    [{ object: 'response', output: [], error: { message: 'failed' } }],
    [undefined],
    ['text'],
  ])('is none in %j', body => {
    expect(findCause(body)).toBeUndefined();
  });
});

describe('the cause in a text', () => {
  it('of a web page is its name', () => {
    const page = '<!DOCTYPE html>\n<html><head><title>Sign in\n · Corp</title></head></html>';
    expect(readCause(page).message).toBe(`${webPage}: "Sign in · Corp"`);
    expect(readCause('<html><body><h1>502 Bad Gateway</h1></body></html>').message).toBe(
      `${webPage}: "502 Bad Gateway"`,
    );
    expect(readCause('<html></html>').message).toBe(webPage);
  });

  it('in plain words is those words', () => {
    expect(readCause('upstream\n connect error')).toEqual({
      code: '',
      message: 'upstream connect error',
    });
    expect(readCause('{"message":"no route"}').message).toBe('no route');
  });
});
