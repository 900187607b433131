/** Translates GitHub’s errors into Photon’s codes, with what to do about a refusal. */
import { type Code, PhotonError } from '../../../base/codes.ts';
import { networkError } from '../../../process/network.ts';
import type { Octokit } from './github.ts';
import { BrokenReply } from './replies.ts';

/** HTTP status of an Octokit error; undefined when GitHub did not answer. */
export function getStatus(error: unknown): number | undefined {
  const { status, response } = (getCause(error) ?? {}) as { status?: unknown; response?: unknown };
  return typeof status === 'number' && response !== undefined ? status : undefined;
}

/** What GitHub answers; undefined if it says that there is no such thing, or none that the token may use. */
export function allowMissing<T>(answer: Promise<T>, statuses = [404]): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (statuses.includes(getStatus(error) ?? 0)) return undefined;
    throw error;
  });
}

/** The error of Octokit behind that of a request. */
export function getCause(error: unknown): unknown {
  return error instanceof PhotonError ? error.cause : error;
}

/** The message in one line of at most 400 characters. */
export function formatMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message
    .replace(/^GitHub: /, '')
    .replace(/\s+/g, ' ')
    .slice(0, 400);
}

/** The PhotonError for an Octokit error. A PhotonError is returned unchanged. */
export function githubError(error: unknown, signal?: AbortSignal): PhotonError {
  if (error instanceof PhotonError) return error;
  if (signal?.aborted && signal.reason instanceof PhotonError) return signal.reason;
  if (error instanceof BrokenReply)
    return new PhotonError('GITHUB_REPLY', `GitHub: ${error.message}.`, { cause: error });
  const http = getStatus(error);
  const network = http === undefined ? networkError(error) : undefined;
  if (network !== undefined) return network;
  const message = `GitHub: ${http === undefined ? '' : `HTTP ${http}: `}${formatMessage(error)}`;
  const ofAnswer = /not accessible|permission/i.test(message) ? 403 : 422;
  const status = isAnswer(error) ? ofAnswer : http;
  if (status === 403 && /not permitted to create or approve pull requests/i.test(message))
    return new PhotonError(
      'PULL_REQUESTS_FORBIDDEN',
      `${message} ${makeSettingsUrl(error)}`.trim(),
      { cause: error },
    );
  if (status === undefined || status >= 500)
    return new PhotonError('GITHUB_UNAVAILABLE', message, { cause: error });
  const known = explainRefusal(error, status, message);
  const needed = known === undefined && status === 403 ? neededPermissions(error) : '';
  if (needed !== '')
    return new PhotonError('GITHUB_PERMISSION', `${message} The request needs ${needed}.`, {
      cause: error,
    });
  const { code, hint } = known ?? explainStatus(error, status);
  return new PhotonError(code, message, { hint, cause: error });
}

/** True for a GraphQL reply that holds errors; its HTTP status is 200. */
export function isAnswer(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'GraphqlResponseError';
}

/** Address of the page with the setting that allows Actions to open pull requests. */
function makeSettingsUrl(error: unknown): string {
  const { url = '' } = (error as { request?: { url?: string } }).request ?? {};
  const parts = /^(https?:\/\/)([^/]+)(?:\/api\/v3)?\/repos\/([\w.-]+\/[\w.-]+)\//.exec(url);
  if (parts === null) return '';
  const [, scheme, host = '', repository] = parts;
  return `The setting: ${scheme}${host.replace(/^api\./, '')}/${repository}/settings/actions`;
}

const getHeaders = (error: unknown) =>
  (error as { response?: { headers?: Record<string, unknown> } }).response?.headers ?? {};

/** Permissions that a reply asks for (`X-Accepted-GitHub-Permissions`), such as `contents: write`. */
function neededPermissions(error: unknown): string {
  const accepted = getHeaders(error)['x-accepted-github-permissions'];
  if (typeof accepted !== 'string') return '';
  return accepted
    .slice(0, 200)
    .split(/[;,]\s*/)
    .map(each => each.trim().replaceAll('_', '-').replace('=', ': '))
    .join(' or ');
}

/** An Octokit plugin after which every request that fails rejects with a PhotonError. It comes last. */
export function withCodes({ hook }: Pick<Octokit, 'hook'>): Record<string, never> {
  hook.error('request', (error, { request }) => {
    throw githubError(error, request?.signal);
  });
  return {};
}

/** A rule of a branch, as `GET /repos/{owner}/{repo}/rules/branches/{branch}` lists it. */
interface BranchRule {
  readonly type: string;
  readonly ruleset_id?: number;
  readonly parameters?: object;
}

/** Rules that a push breaks, with a reason that follows `refuse BRANCH:`. */
interface BrokenRule {
  readonly why: string;
  readonly ruleset: number | undefined;
}

/** The rules that refuse a push whatever it holds. A pattern that is a regular expression is left to GitHub. */
export function findBrokenRules(
  rules: readonly BranchRule[],
  push: { readonly branch: string; readonly exists: boolean; readonly signs: boolean },
): readonly BrokenRule[] {
  return rules.flatMap(rule => {
    const why = explainBroken(rule, push);
    return why === undefined ? [] : [{ why, ruleset: rule.ruleset_id }];
  });
}

function explainBroken(
  { type, parameters = {} }: BranchRule,
  { branch, exists, signs }: Parameters<typeof findBrokenRules>[1],
): string | undefined {
  switch (type) {
    case 'creation':
      return exists ? undefined : 'the branch may not be created';
    case 'update':
      return exists ? 'the branch may not be changed' : undefined;
    case 'required_signatures':
      return signs ? undefined : 'its commits must be signed, and GitHub signs none of this token';
    case 'branch_name_pattern':
      return explainName(branch, parameters);
    default:
      return undefined;
  }
}

/** Why a name does not match the pattern of a rule. */
function explainName(
  branch: string,
  { operator, pattern, negate }: { operator?: string; pattern?: string; negate?: boolean },
): string | undefined {
  if (pattern === undefined) return undefined;
  const tests: Readonly<Record<string, boolean>> = {
    starts_with: branch.startsWith(pattern),
    ends_with: branch.endsWith(pattern),
    contains: branch.includes(pattern),
  };
  const matches = tests[operator ?? ''];
  if (matches === undefined || matches !== (negate === true)) return undefined;
  const words = (operator ?? '').replace('_', ' ');
  return `the name must ${negate === true ? 'not match' : 'match'} "${words} ${pattern}"`;
}

/** True for a file that GitHub runs as a workflow. A token needs an extra permission to change it. */
export function isWorkflowFile(path: string): boolean {
  return path.startsWith('.github/workflows/');
}

/** A code, and a hint in place of that of the code. */
interface Explained {
  readonly code: Code;
  readonly hint?: string;
}

/** Words that tell the cause whatever the status is. */
const refusals: readonly (readonly [RegExp, Explained])[] = [
  [/refusing to allow .{1,80} to create or update workflow/i, { code: 'WORKFLOWS_FORBIDDEN' }],
  [
    /cannot force-push to this branch|must not contain merge commits|update is not a fast.?forward/i,
    { code: 'FORCE_PUSH_FORBIDDEN' },
  ],
  [
    /archived|repository (?:is|has been) (?:disabled|blocked|locked)|access blocked/i,
    { code: 'REPOSITORY_LOCKED' },
  ],
  [
    /rule violations|protected branch|branch protection|required status check|changes must be made through a pull request/i,
    { code: 'BRANCH_RULES' },
  ],
  [
    /SAML|single sign-on|\bSSO\b/i,
    {
      code: 'GITHUB_AUTH',
      hint: 'The organisation requires single sign-on: authorise the token for the organisation in the settings of the account that owns it.',
    },
  ],
  [
    /IP allow list|IP address/i,
    {
      code: 'GITHUB_REQUEST',
      hint: 'The organisation accepts requests only from listed addresses: add that of the runner to its IP allow list, or use a runner whose address is listed.',
    },
  ],
];

/** The cause that the reply names; undefined if it names none. */
function explainRefusal(error: unknown, status: number, message: string): Explained | undefined {
  const headers = getHeaders(error);
  // a 403 or 429 that only time ends
  const isLimit =
    /rate limit|abuse detection/i.test(message) ||
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0';
  if ((status === 403 || status === 429) && isLimit)
    return {
      code: 'GITHUB_UNAVAILABLE',
      hint: 'GitHub limits how much a token may ask. Run again later: a limit lasts an hour at most.',
    };
  return refusals.find(([words]) => words.test(message))?.[1];
}

/** The code and the hint of a status of 400 to 499. */
function explainStatus(error: unknown, status: number): Explained {
  const { method = '', url = '' } =
    (error as { request?: { method?: string; url?: string } }).request ?? {};
  const path = url.replace(/^https?:\/\/[^/]+(?:\/api\/v3)?/, '').split('?')[0];
  const request = path && path !== '/graphql' ? `${method} ${path}` : 'the request';
  switch (status) {
    case 401:
      return {
        code: 'GITHUB_AUTH',
        hint: 'The token is wrong, expired or revoked. Give github-token a valid one: GITHUB_TOKEN ends with its job.',
      };
    case 403:
      return {
        code: 'GITHUB_AUTH',
        hint: `The token may not do ${request}. Grant the permission for it: in the workflow for GITHUB_TOKEN (contents: write and pull-requests: write to deliver), otherwise in the settings of the App or the token.`,
      };
    case 404:
      return {
        code: 'GITHUB_REQUEST',
        hint: `Check that what ${request} names exists. GitHub answers 404 as well for what the token may not see.`,
      };
    default:
      return { code: 'GITHUB_REQUEST' };
  }
}
