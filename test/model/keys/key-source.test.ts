/** A key is renewed before it expires; an exchange that fails says why, and never repeats the token. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../src/base/codes.ts';
import { type IssuedKey, openKeySource } from '../../../src/model/keys/key-source.ts';
import { idToken } from '../../doubles/token-endpoint.ts';
import { exchange } from './exchanges.ts';

describe('a key that expires', () => {
  /** A source over scripted keys, with a clock that the test sets. */
  const open = (script: readonly (IssuedKey | 'fails')[]) => {
    const clock = { now: 0 };
    const arrived: string[] = [];
    let issued = 0;
    const key = openKeySource({
      now: () => clock.now,
      arrived: each => arrived.push(each),
      issue: async () => {
        const next = script[issued++];
        if (next === undefined || next === 'fails')
          throw new PhotonError('KEY_EXCHANGE', 'refused');
        return next;
      },
    });
    return { clock, arrived, key };
  };
  const minutes = (n: number) => n * 60_000;

  it('of fifteen minutes is renewed five minutes before, and announced before its use', async () => {
    const { clock, arrived, key } = open([
      { key: 'first', expiresAt: minutes(15) },
      { key: 'second', expiresAt: minutes(25) },
    ]);
    expect(await key()).toBe('first');
    clock.now = minutes(10) - 1;
    expect(await key()).toBe('first');
    clock.now = minutes(10);
    expect(await Promise.all([key(), key()])).toEqual(['second', 'second']);
    expect(arrived).toEqual(['first', 'second']);
  });

  it('within ten minutes is renewed at half of its life, and one without an end never', async () => {
    const short = open([
      { key: 'first', expiresAt: minutes(4) },
      { key: 'second', expiresAt: undefined },
    ]);
    await short.key();
    short.clock.now = minutes(2) - 1;
    expect(await short.key()).toBe('first');
    short.clock.now = minutes(2);
    expect(await short.key()).toBe('second');
    short.clock.now = minutes(10_000);
    expect(await short.key()).toBe('second');
  });

  it('stays in use while its renewal fails, and ends with KEY_EXCHANGE when it has expired', async () => {
    const { clock, key } = open([
      { key: 'first', expiresAt: minutes(15) },
      'fails',
      { key: 'second', expiresAt: minutes(26) },
      'fails',
    ]);
    await key();
    clock.now = minutes(10);
    expect(await key()).toBe('first');
    clock.now = minutes(11);
    expect(await key()).toBe('second');
    clock.now = minutes(26);
    await expect(key()).rejects.toMatchObject({ code: 'KEY_EXCHANGE' });
  });
});

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
