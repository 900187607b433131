/** What GitHub does when it is busy, broken or asked too much, and how long Photon waits for it. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../doubles/github.ts';
import { ask, github, log, useGitHub } from './asking.ts';

useGitHub();

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
    const { end, requests } = await ask(5_000);
    expect(end).toBe('GITHUB_UNAVAILABLE');
    expect(requests).toBe(1);
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
