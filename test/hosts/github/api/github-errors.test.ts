import { describe, expect, it } from 'vitest';
import { githubError } from '../../../../src/hosts/github/api/github-errors.ts';
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

interface Reply {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error that Octokit makes of a reply. */
function refused({ status, message, headers = {} }: Reply) {
  const request = { method: 'POST', url: 'https://api.github.com/repos/acme/shop/pulls?x=1' };
  const response = { status, headers, data: { message } };
  const error = Object.assign(new Error(message), { status, request, response });
  const { code, hint } = githubError(error, new AbortController().signal);
  return [code, hint] as const;
}

const accepted = { 'x-accepted-github-permissions': 'pull_requests=write' };

describe('the ending that a refusal leads to', () => {
  it.each<[string, Reply, string, RegExp]>([
    [
      'a dead token',
      { status: 401, message: 'Bad credentials' },
      'GITHUB_AUTH',
      /expired or revoked/,
    ],
    [
      'a missing permission that GitHub names',
      { status: 403, message: 'Resource not accessible by integration', headers: accepted },
      'GITHUB_PERMISSION',
      /Grant the permission that the message names/,
    ],
    [
      'a missing permission',
      { status: 403, message: 'Resource not accessible by integration' },
      'GITHUB_AUTH',
      /may not do POST \/repos\/acme\/shop\/pulls\. Grant/,
    ],
    [
      'a primary rate limit',
      {
        status: 403,
        message: 'API rate limit exceeded',
        headers: { ...accepted, 'x-ratelimit-remaining': '0' },
      },
      'GITHUB_UNAVAILABLE',
      / Run again later: a limit lasts an hour at most\.$/,
    ],
    [
      'single sign-on',
      {
        status: 403,
        message: 'Resource protected by organization SAML enforcement.',
        headers: accepted,
      },
      'GITHUB_AUTH',
      /authorise the token for the organisation/,
    ],
    [
      'an archived repository',
      { status: 403, message: 'Repository was archived so is read-only.', headers: accepted },
      'REPOSITORY_LOCKED',
      /unarchive/,
    ],
    [
      'an IP allow list',
      { status: 403, message: 'your IP address is not permitted', headers: accepted },
      'GITHUB_REQUEST',
      /IP allow list/,
    ],
    [
      'what is not there',
      { status: 404, message: 'Not Found' },
      'GITHUB_REQUEST',
      /exists\. GitHub answers 404 as well/,
    ],
    [
      'a rule',
      { status: 422, message: 'Repository rule violations found' },
      'BRANCH_RULES',
      /exempt the branches of Photon/,
    ],
    [
      'a server that fails',
      { status: 503, message: 'Unicorn!' },
      'GITHUB_UNAVAILABLE',
      /^Try again later\.$/,
    ],
  ])('%s', (_what, reply, code, hint) => {
    expect(refused(reply)).toEqual([code, expect.stringMatching(hint)]);
  });

  it('speaks of permissions only where one is missing', () => {
    for (const status of [404, 409, 410, 418, 503])
      expect(refused({ status, message: 'No.' })[1]).not.toMatch(/permission/i);
  });
});
