/** What GitHub does when it is busy, broken or asked too much, and how long Photon waits for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/codes.ts';
import { type GitHub, splitRepository } from '../../src/github/api/github.ts';
import { withCodes } from '../../src/github/api/github-errors.ts';
import { swapRefs } from '../../src/github/api/swap-refs.ts';
import { type Fault, type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { clientOf } from './publication.ts';

let github: GitHubDouble;
const log: string[] = [];
beforeEach(async () => {
  github = await startGitHub({ seed: { 'a.txt': 'one\n' } });
  log.length = 0;
});
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
});

const client = (deadlineMs: number) =>
  clientOf(
    { apiUrl: github.url, token: github.token },
    { deadline: Date.now() + deadlineMs, log: line => log.push(line) },
  );

/** One read and one write; how it ended, how long it took, and how often each was asked. */
async function ask(deadlineMs: number) {
  const api = await client(deadlineMs);
  const where = splitRepository(github.repository);
  const from = Date.now();
  const work = async (g: GitHub) => {
    await g.rest.git.getRef({ ...where, ref: 'heads/main' });
    await g.rest.git.createBlob({ ...where, content: 'x', encoding: 'utf-8' });
  };
  const end = await withCodes(api, () => work(api)).then(
    () => 'done',
    (error: PhotonError) => error.code,
  );
  return { end, tookMs: Date.now() - from, requests: github.seen.length };
}

const seconds = (s: number) => Math.floor(Date.now() / 1000) + s;
const primary = { message: 'API rate limit exceeded for installation ID 1.' };
const secondary = { message: 'You have exceeded a secondary rate limit. Please wait.' };
const abuse = { message: 'You have triggered an abuse detection mechanism.' };

describe('a limit', () => {
  const waited: [string, () => Fault][] = [
    [
      'of requests, whose window ends soon (403)',
      () => ({
        status: 403,
        body: primary,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${seconds(1)}` },
      }),
    ],
    [
      'of requests, whose window ends soon (429)',
      () => ({
        status: 429,
        body: primary,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${seconds(1)}` },
      }),
    ],
    [
      'that is secondary (403)',
      () => ({ status: 403, headers: { 'retry-after': '1' }, body: secondary }),
    ],
    [
      'that is secondary (429)',
      () => ({ status: 429, headers: { 'retry-after': '1' }, body: secondary }),
    ],
    [
      'in words that nobody knows (429)',
      () => ({ status: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down.' } }),
    ],
    [
      'in words that nobody knows (403)',
      () => ({ status: 403, headers: { 'retry-after': '1' }, body: { message: 'Slow down.' } }),
    ],
    [
      'by the detection of abuse',
      () => ({ status: 403, headers: { 'retry-after': '1' }, body: abuse }),
    ],
  ];

  it.each(waited)('%s is waited for, on reads and writes', async (_name, fault) => {
    github.fail(m => m === 'GET', fault());
    github.fail(m => m === 'POST', fault());
    const { end, tookMs, requests } = await ask(60_000);
    expect(end).toBe('done');
    expect(requests).toBe(4);
    expect(tookMs).toBeGreaterThanOrEqual(1000);
    expect(log.join('\n')).toMatch(/rate limit; waiting \d+ s/);
  });

  const refused: [string, () => Fault][] = [
    [
      'asks for more than five minutes',
      () => ({ status: 403, headers: { 'retry-after': '301' }, body: secondary }),
    ],
    ['gives no time, and a minute passes the deadline', () => ({ status: 403, body: secondary })],
    [
      'ends after the deadline',
      () => ({
        status: 403,
        body: primary,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${seconds(50)}` },
      }),
    ],
  ];

  it.each(refused)('that %s ends at once, in words', async (_name, fault) => {
    github.fail(() => true, { ...fault(), times: 50 });
    const { end, tookMs, requests } = await ask(5_000);
    expect(end).toBe('GITHUB_UNAVAILABLE');
    expect(requests).toBe(1);
    expect(tookMs).toBeLessThan(5_000);
    expect(log.join('\n')).toContain('giving up');
  });

  it('that does not end is given up after a few tries', async () => {
    github.fail(() => true, {
      status: 429,
      headers: { 'retry-after': '1' },
      body: secondary,
      times: 50,
    });
    const { end, requests } = await ask(60_000);
    expect(end).toBe('GITHUB_UNAVAILABLE');
    expect(requests).toBeLessThanOrEqual(4);
  });
});

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

describe('a swap of refs', () => {
  const swap = async (before: string | null, after: string | null) => {
    const place = { repository: github.repository, nodeId: 'x' };
    const change = [{ name: 'refs/heads/photon/x', before, after }];
    return swapRefs(await client(60_000), place, change);
  };

  it('whose reply is lost after it happened has happened', async () => {
    github.fail((_m, p) => p === '/graphql', { afterWrite: true, drop: true });
    expect(await swap(null, github.first)).toEqual({ ok: true });
    expect(github.store.refs()['refs/heads/photon/x']).toBe(github.first);
  });

  it('that comes second tells what is there', async () => {
    await swap(null, github.first);
    const other = github.store.push('other', { 'a.txt': 'two\n' });
    expect(await swap(null, other)).toMatchObject({
      ok: false,
      now: new Map([['refs/heads/photon/x', github.first]]),
    });
  });

  it('that a rule of the repository refuses is an error with its words', async () => {
    const errors = [{ message: 'Repository rule violations found', type: 'UNPROCESSABLE' }];
    github.fail((_m, p) => p === '/graphql', { status: 200, body: { data: null, errors } });
    const end = await swap(null, github.first).catch((e: PhotonError) => e);
    expect(end).toBeInstanceOf(PhotonError);
    expect(end).toMatchObject({ code: 'GITHUB_REQUEST' });
    expect((end as PhotonError).message).toContain('rule violations');
  });
});
