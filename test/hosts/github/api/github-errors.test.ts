import { describe, expect, it } from 'vitest';
import { ask, github, useGitHub } from './asking.ts';

useGitHub();

describe('an answer', () => {
  it.each([500, 502, 503, 504])('%i that passes is asked again', async status => {
    github.fail(() => true, { status, body: { message: 'Unicorn!' }, times: 2 });
    expect(await ask(60_000)).toMatchObject({ end: 'done', requests: 4 });
  });

  it.each([
    [404, 'GITHUB_REQUEST'],
    [422, 'GITHUB_REQUEST'],
    [401, 'GITHUB_AUTH'],
    [403, 'GITHUB_AUTH'],
  ] as const)('%i is an answer, and asked once', async (status, code) => {
    github.fail(() => true, { status, body: { message: 'No.' }, times: 50 });
    expect(await ask(60_000)).toMatchObject({ end: code, requests: 1 });
  });

  it('that is a conflict (409) is asked again', async () => {
    github.fail(m => m === 'POST', { status: 409, body: { message: 'Conflict' } });
    expect(await ask(60_000)).toMatchObject({ end: 'done', requests: 3 });
  });
});
