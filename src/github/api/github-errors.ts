/** Failures of GitHub as Photon's codes. */
import { PhotonError } from '../../codes.ts';
import type { GitHub } from './github.ts';
import { codeOfRefusal } from './push-rules.ts';
import { BrokenReply } from './replies.ts';

/** HTTP status of an Octokit error; null when there was no answer. */
export function statusOf(error: unknown): number | null {
  const status = (error as { status?: unknown } | null)?.status;
  const answered = (error as { response?: unknown } | null)?.response !== undefined;
  return typeof status === 'number' && answered ? status : null;
}

/** What GitHub said, in one bounded line. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').slice(0, 400);
}

/** An Octokit error as a PhotonError with its code; a PhotonError stays what it is. */
export function githubError(error: unknown, signal: AbortSignal): PhotonError {
  if (error instanceof PhotonError) return error;
  if (signal.aborted && signal.reason instanceof PhotonError) return signal.reason;
  if (error instanceof BrokenReply)
    return new PhotonError('GITHUB_REPLY', `GitHub: ${error.message}.`, { cause: error });
  const status = statusOf(error);
  const said = `GitHub: ${status === null ? '' : `HTTP ${status}: `}${messageOf(error)}`;
  if (status === 403 && /not permitted to create or approve pull requests/i.test(said))
    return new PhotonError('PULL_REQUESTS_FORBIDDEN', `${said} ${settingOf(error)}`.trim(), {
      cause: error,
    });
  const refusal = status !== null && status < 500 ? codeOfRefusal(said) : null;
  if (refusal !== null) return new PhotonError(refusal, said, { cause: error });
  const needed = status === 403 ? neededPermissions(error) : '';
  if (needed !== '')
    return new PhotonError('GITHUB_PERMISSION', `${said} It needs ${needed}.`, { cause: error });
  if (status === 401) return new PhotonError('GITHUB_AUTH', said, { cause: error });
  if (status === 403 && !/rate limit/i.test(said))
    return new PhotonError('GITHUB_AUTH', said, { cause: error });
  if (status === null || status >= 500 || status === 403 || status === 429) {
    return new PhotonError('GITHUB_UNAVAILABLE', said, { cause: error });
  }
  return new PhotonError('GITHUB_REQUEST', said, { cause: error });
}

/** Address of the page whose setting keeps Actions from opening pull requests. */
function settingOf(error: unknown): string {
  const { url = '' } = (error as { request?: { url?: string } }).request ?? {};
  const parts = /^(https?:\/\/)([^/]+)(?:\/api\/v3)?\/repos\/([\w.-]+\/[\w.-]+)\//.exec(url);
  if (parts === null) return '';
  const [, scheme, host = '', repository] = parts;
  return `The setting: ${scheme}${host.replace(/^api\./, '')}/${repository}/settings/actions`;
}

/** What an answer says was needed (`X-Accepted-GitHub-Permissions`), such as `contents: write`. */
function neededPermissions(error: unknown): string {
  const headers = (error as { response?: { headers?: Record<string, unknown> } }).response?.headers;
  const accepted = headers?.['x-accepted-github-permissions'];
  // a limit is answered with 403, too, and has its own cure
  if (typeof accepted !== 'string' || headers?.['retry-after'] !== undefined) return '';
  if (headers?.['x-ratelimit-remaining'] === '0') return '';
  return accepted
    .slice(0, 200)
    .split(/[;,]\s*/)
    .map(each => each.trim().replaceAll('_', '-').replace('=', ': '))
    .join(' or ');
}

/** Runs requests; whatever they throw comes out as a PhotonError. */
export async function withCodes<T>(github: GitHub, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw githubError(error, github.signal);
  }
}
