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

/** What GitHub answers; undefined if it says that there is no such thing. */
export function allowMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error: unknown) => {
    if (getStatus(error) === 404) return undefined;
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
      {
        cause: error,
      },
    );
  if (status === undefined || status >= 500)
    return new PhotonError('GITHUB_UNAVAILABLE', message, { cause: error });
  const special = codeOfRefusal(message);
  if (special !== undefined) return new PhotonError(special, message, { cause: error });
  const explained = explainRefusal({ status, message, ...readReply(error) });
  const { code, hint, lacksPermission } = explained;
  const needed = lacksPermission === true ? neededPermissions(error) : '';
  if (needed !== '')
    return new PhotonError('GITHUB_PERMISSION', `${message} The request needs ${needed}.`, {
      cause: error,
    });
  return new PhotonError(code, message, { hint, cause: error });
}

/** True for a GraphQL reply that holds errors; its HTTP status is 200. */
export function isAnswer(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'GraphqlResponseError';
}

/** What a refusal says besides its status and message. */
function readReply(error: unknown): Pick<RefusedRequest, 'headers' | 'errors' | 'request'> {
  const { response, request } = error as {
    response?: { headers?: RefusedRequest['headers']; data?: { errors?: unknown } | null };
    request?: { method?: string; url?: string };
  };
  const path = (request?.url ?? '').replace(/^https?:\/\/[^/]+(?:\/api\/v3)?/, '').split('?')[0];
  return {
    headers: response?.headers ?? {},
    errors: response?.data?.errors,
    request: path && path !== '/graphql' ? `${request?.method ?? ''} ${path}` : 'the request',
  };
}

/** Address of the page with the setting that allows Actions to open pull requests. */
function makeSettingsUrl(error: unknown): string {
  const { url = '' } = (error as { request?: { url?: string } }).request ?? {};
  const parts = /^(https?:\/\/)([^/]+)(?:\/api\/v3)?\/repos\/([\w.-]+\/[\w.-]+)\//.exec(url);
  if (parts === null) return '';
  const [, scheme, host = '', repository] = parts;
  return `The setting: ${scheme}${host.replace(/^api\./, '')}/${repository}/settings/actions`;
}

/** Permissions that a reply asks for (`X-Accepted-GitHub-Permissions`), such as `contents: write`. */
function neededPermissions(error: unknown): string {
  const headers = (error as { response?: { headers?: Record<string, unknown> } }).response?.headers;
  const accepted = headers?.['x-accepted-github-permissions'];
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

const refusals: readonly (readonly [RegExp, Code])[] = [
  [/refusing to allow .{1,80} to create or update workflow/i, 'WORKFLOWS_FORBIDDEN'],
  [
    /cannot force-push to this branch|must not contain merge commits|update is not a fast.?forward/i,
    'FORCE_PUSH_FORBIDDEN',
  ],
];

/** The code for GitHub's refusal message; undefined when there is no special code for it. */
export function codeOfRefusal(message: string): Code | undefined {
  return refusals.find(([pattern]) => pattern.test(message))?.[1];
}

/** True for a file that GitHub runs as a workflow. A token needs an extra permission to change it. */
export function isWorkflowFile(path: string): boolean {
  return path.startsWith('.github/workflows/');
}

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
    'A rule of the branch refuses this. Allow it there for the owner of the token, exempt the branches of Photon from the rule, or set delivery.branchPrefix to names that it does not match.',
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
