/** Authenticates as the installation of a GitHub App: a token for one repository, renewed before it expires. */
import type { Octokit } from '@octokit/rest';
import { PhotonError } from '../../../base/codes.ts';
import {
  type AppRequest,
  type AppStrategy,
  type GitHub,
  type GitHubOptions,
  splitRepository,
} from '../api/github.ts';
import { githubError } from '../api/github-errors.ts';
import { checkReplies } from '../api/replies.ts';
import { endStalled } from '../api/request-limit.ts';

/** A GitHub App, from the inputs `app-id` and `private-key`. */
interface AppIdentity {
  /** Numeric id or client id. */
  readonly appId: string;
  /** PEM, PKCS#1 or PKCS#8. Line breaks can be written as `\n`. */
  readonly privateKey: string;
}

/** Permissions that a delivery needs; every installation has `metadata: read` as well. */
export const requiredPermissions = {
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
} as const;

/** What a watched pull request is judged by; read where the installation may. */
const readPermissions = ['actions', 'checks', 'statuses'] as const;

/**
 * Finds the App's installation on a repository and checks its permissions. The token is limited to
 * this repository and these permissions, even if the installation has more.
 * @throws PhotonError `APP_INVALID` for an unusable id or key, or an App that is not installed here;
 * `GITHUB_PERMISSION` with each permission that the installation lacks.
 */
export async function openAppStrategy(
  app: AppIdentity,
  options: Pick<GitHubOptions, 'repository' | 'apiUrl' | 'signal' | 'requestTimeoutMs'>,
): Promise<AppStrategy> {
  const [{ createAppAuth }, { Octokit }] = await Promise.all([
    import('@octokit/auth-app'),
    import('@octokit/rest'),
  ]);
  const where = splitRepository(options.repository);
  const identity = { appId: app.appId, privateKey: app.privateKey.replaceAll('\\n', '\n') };
  const octokit = new (Octokit.plugin(checkReplies, endStalled(options)))({
    authStrategy: createAppAuth,
    auth: identity,
    baseUrl: options.apiUrl,
    userAgent: 'photon-agent-action',
    request: { signal: options.signal },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const auth = octokit.auth as ReturnType<typeof createAppAuth>;
  const installation = await findInstallation(octokit, where, options.signal);
  requirePermissions(installation.permissions);
  const read = readPermissions.filter(name => installation.permissions[name] !== undefined);
  const token = () =>
    auth({
      type: 'installation',
      installationId: installation.id,
      repositoryNames: [where.repo],
      permissions: { ...requiredPermissions, ...Object.fromEntries(read.map(n => [n, 'read'])) },
    });
  return () =>
    Object.assign(token, {
      hook: async (request: AppRequest, route: never, parameters: never) => {
        const endpoint = request.endpoint.merge(route, parameters);
        endpoint.headers.authorization = `token ${(await token()).token}`;
        return request(endpoint);
      },
    });
}

interface Installation {
  readonly id: number;
  readonly permissions: Readonly<Record<string, string | undefined>>;
}

async function findInstallation(
  octokit: Octokit,
  where: GitHub['where'],
  signal: AbortSignal,
): Promise<Installation> {
  try {
    const { data } = await octokit.rest.apps.getRepoInstallation(where);
    return { id: data.id, permissions: { ...data.permissions } };
  } catch (cause) {
    const known = githubError(cause, signal);
    if (known.code === 'GITHUB_UNAVAILABLE' && isAnswer(cause)) throw known;
    if (known.code === 'GITHUB_REPLY' || signal.aborted) throw known;
    throw new PhotonError('APP_INVALID', `Photon cannot use the GitHub App: ${known.message}`, {
      cause,
    });
  }
}

/** True for an answer from GitHub, false when the key cannot sign a token. */
function isAnswer(error: unknown): boolean {
  return typeof (error as { status?: unknown }).status === 'number';
}

/** @throws PhotonError `GITHUB_PERMISSION`. */
export function requirePermissions(granted: Readonly<Record<string, string | undefined>>): void {
  const missing = Object.entries(requiredPermissions)
    .filter(([name, level]) => granted[name] !== level && granted[name] !== 'admin')
    .map(([name, level]) => `${name.replace('_', '-')}: ${level}`);
  if (missing.length > 0)
    throw new PhotonError('GITHUB_PERMISSION', `The GitHub App lacks ${missing.join(', ')}.`);
}
