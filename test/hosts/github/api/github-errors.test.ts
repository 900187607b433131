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
  readonly errors?: unknown;
}

/** The error that Octokit makes of a reply. */
function refused({ status, message, headers = {}, errors }: Reply) {
  const request = { method: 'POST', url: 'https://api.github.com/repos/acme/shop/pulls?x=1' };
  const response = { status, headers, data: { message, errors } };
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
        headers: { ...accepted, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' },
      },
      'GITHUB_UNAVAILABLE',
      /^The rate limit .* after 2027-01-15T08:00:00Z\.$/,
    ],
    [
      'a secondary rate limit',
      { status: 429, message: 'Slow down', headers: { 'retry-after': '90' } },
      'GITHUB_UNAVAILABLE',
      /after 90 seconds/,
    ],
    [
      'single sign-on',
      {
        status: 403,
        message: 'Resource protected by organization SAML enforcement.',
        headers: {
          ...accepted,
          'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?x=1',
        },
      },
      'GITHUB_AUTH',
      /authorise the token at https:\/\/github\.com\/orgs\/acme\/sso\?x=1\.$/,
    ],
    [
      'an archived repository',
      { status: 403, message: 'Repository was archived so is read-only.', headers: accepted },
      'REPOSITORY_LOCKED',
      /archived.*unarchive/,
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
      'an empty repository',
      { status: 409, message: 'Git Repository is empty.' },
      'GITHUB_REQUEST',
      /no commit/,
    ],
    ['a conflict', { status: 409, message: 'Conflict' }, 'GITHUB_REQUEST', /at the same moment/],
    [
      'issues that are turned off',
      { status: 410, message: 'Issues are disabled for this repo' },
      'GITHUB_REQUEST',
      /turned off/,
    ],
    [
      'fields that are wrong',
      {
        status: 422,
        message: 'Validation Failed',
        errors: [
          { resource: 'PullRequest', field: 'base', code: 'invalid' },
          { message: 'No commits between main and x' },
        ],
      },
      'GITHUB_REQUEST',
      /\(base: invalid; No commits between main and x\)\. Correct that; permissions would not help\.$/,
    ],
    [
      'a rule',
      { status: 422, message: 'Repository rule violations found' },
      'BRANCH_RULES',
      /A rule of the branch/,
    ],
    [
      'a status without a name',
      { status: 418, message: 'Teapot' },
      'GITHUB_REQUEST',
      /what GitHub says about POST/,
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
