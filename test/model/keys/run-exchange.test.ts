/** An exchange that fails says why, and never repeats the token. */
import { describe, expect, it } from 'vitest';
import { idToken } from '../../doubles/token-endpoint.ts';
import { exchange } from './exchanges.ts';

describe('a key exchange', () => {
  it.each([
    ['a refusal', { status: 401, body: { error: 'invalid_grant' } }, 'HTTP 401 (invalid_grant)'],
    ['no token', { body: { token_type: 'Bearer' } }, 'the response holds no token'],
    ['a token with a line break', { body: { access_token: 'key\r\nx: y' } }, 'holds no token'],
    ['a refusal that repeats the token', { status: 400, body: { error: idToken } }, 'HTTP 400.'],
  ])('with %s fails, and says so without a token', async (_, answer, says) => {
    const failed = await exchange('openai', answer).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'KEY_EXCHANGE' });
    expect((failed as Error).message).toContain(says);
    expect((failed as Error).message).not.toContain(idToken);
  });
});
