/** What GitHub's refusal of a request means, and what to do about it, from its status and its own words. Pure. */
import type { Code } from '../../../base/codes.ts';

/** What is read of a reply that refuses a request. */
export interface RefusedRequest {
  readonly status: number;
  /** GitHub's message, with its list of errors. */
  readonly message: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** `errors` of the reply, as it came. */
  readonly errors: unknown;
  /** Method and path, such as `POST /repos/acme/shop/pulls`. */
  readonly request: string;
}

interface ExplainedRefusal {
  readonly code: Code;
  readonly hint: string;
  /** True if a permission would help. */
  readonly lacksPermission?: boolean;
}

type Case = readonly [words: RegExp, hint: string, code?: Code];

/** Words that tell the cause whatever the status is. */
const byWords: readonly Case[] = [
  [
    /archived/i,
    'The repository is archived, so nobody can write to it. An administrator can unarchive it.',
    'REPOSITORY_LOCKED',
  ],
  [
    /SAML|single sign-on|\bSSO\b/i,
    'The organisation requires single sign-on: authorise the token for the organisation in the settings of the account that owns it.',
    'GITHUB_AUTH',
  ],
  [
    /IP allow list|IP address/i,
    'The organisation accepts requests only from listed addresses: add that of the runner to its IP allow list, or use a runner whose address is listed.',
  ],
  [
    /repository (?:is|has been) (?:disabled|blocked|locked)|access blocked/i,
    'GitHub has disabled or locked the repository. Its owner sees the reason on its page.',
    'REPOSITORY_LOCKED',
  ],
  [
    /rule violations|protected branch|branch protection|required status check|changes must be made through a pull request/i,
    'A rule of the branch refuses this. Allow it there for the owner of the token, exempt the branches of Photon from the rule, or set branch-prefix to names that it does not match.',
    'BRANCH_RULES',
  ],
  [/repository is empty/i, 'The repository has no commit. Push a first one, then run again.'],
];

/** A 403 or 429 that only time ends. */
function isLimit({ message, headers }: RefusedRequest): boolean {
  return (
    /rate limit|abuse detection/i.test(message) ||
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0'
  );
}

/** The code and the hint of a reply with a status of 400 to 499. */
export function explainRefusal(refusal: RefusedRequest): ExplainedRefusal {
  const { status, message, headers, request } = refusal;
  if ((status === 403 || status === 429) && isLimit(refusal))
    return explain(
      `The rate limit of the token is used up: ${waitText(headers)}`,
      'GITHUB_UNAVAILABLE',
    );
  if (status === 403 && headers['x-github-sso'] !== undefined)
    return explain(ssoHint(headers['x-github-sso']), 'GITHUB_AUTH');
  const known = byWords.find(([words]) => words.test(message));
  if (known !== undefined) return explain(known[1], known[2]);
  switch (status) {
    case 401:
      return explain(
        'The token is wrong, expired or revoked. Give github-token a valid one: GITHUB_TOKEN ends with its job.',
        'GITHUB_AUTH',
      );
    case 403:
      return {
        code: 'GITHUB_AUTH',
        lacksPermission: true,
        hint: `The token may not do ${request}. Grant the permission for it: in the workflow for GITHUB_TOKEN (contents: write and pull-requests: write to deliver), otherwise in the settings of the App or the token.`,
      };
    case 404:
      return explain(
        `Check that what ${request} names exists. GitHub answers 404 as well for what the token may not see.`,
      );
    case 409:
      return explain(
        'What the request is about changed or was in use at the same moment. Run again.',
      );
    case 410:
      return explain(
        'It was deleted, or the feature is turned off in the settings of the repository.',
      );
    case 422:
      return explain(invalidHint(refusal));
    default:
      return explain(`Read what GitHub says about ${request}, and correct that.`);
  }
}

const explain = (hint: string, code: Code = 'GITHUB_REQUEST'): ExplainedRefusal => ({ code, hint });

/** When a limit ends, as GitHub says it. */
function waitText(headers: RefusedRequest['headers']): string {
  const seconds = Number(headers['retry-after']);
  if (Number.isInteger(seconds) && seconds > 0) return `run again after ${seconds} seconds.`;
  const reset = Number(headers['x-ratelimit-reset']);
  if (headers['x-ratelimit-remaining'] === '0' && Number.isInteger(reset) && reset > 0)
    return `run again after ${new Date(reset * 1000).toISOString().replace(/\.\d+Z$/, 'Z')}.`;
  return 'run again later.';
}

/** `required; url=https://github.com/orgs/…/sso?authorization_request=…` */
function ssoHint(header: unknown): string {
  const url = /url=(https:\/\/[^\s;]{1,300})/.exec(String(header))?.[1];
  const where = url === undefined ? 'in the settings of the account that owns it' : `at ${url}`;
  return `The organisation requires single sign-on: authorise the token ${where}.`;
}

/** Names the fields that GitHub finds wrong. */
function invalidHint({ errors, request }: RefusedRequest): string {
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const named = list.slice(0, 3).flatMap(each => {
    if (typeof each === 'string') return [each];
    const { message, field, code } = (each ?? {}) as Record<string, unknown>;
    if (typeof message === 'string') return [message];
    return typeof field === 'string' && typeof code === 'string' ? [`${field}: ${code}`] : [];
  });
  const why = named.map(text => text.replace(/\s+/g, ' ').slice(0, 200)).join('; ');
  return why === ''
    ? `GitHub does not accept the content of ${request}: read what it says.`
    : `GitHub does not accept the content of ${request} (${why}). Correct that; permissions would not help.`;
}
