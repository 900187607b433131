/** Opens GitHub for a command with `--on OWNER/NAME`. */
import { PhotonError } from '../base/codes.ts';
import { openGitHub } from '../hosts/github/api/client.ts';
import type { GitHub } from '../hosts/github/api/github.ts';
import { getStatus, githubError } from '../hosts/github/api/github-errors.ts';
import type { Terminal } from './terminal.ts';

/**
 * Reads `--on`, opens GitHub with `GITHUB_TOKEN` for at most ten minutes, and reads the repository once, so that a command
 * which goes on has a repository.
 * @throws PhotonError `USAGE` for another form, `GITHUB_AUTH` without a token that GitHub knows, `GITHUB_REPOSITORY`,
 * `GITHUB_UNAVAILABLE`.
 */
export async function openRepository(named: unknown, terminal: Terminal) {
  const repository = repositoryName(named);
  const github = await openAccount(repository, terminal, 600_000);
  await requireReadable(github, getApiUrl(terminal.env));
  return { repository, github };
}

/**
 * Opens GitHub with `GITHUB_TOKEN`, which must be able to read what is named. No wait for a limit goes beyond `ms`.
 * @throws PhotonError `GITHUB_AUTH` without a token.
 */
export async function openAccount(named: string, terminal: Terminal, ms: number): Promise<GitHub> {
  const { env, signal, now, tell } = terminal;
  const token = env.GITHUB_TOKEN ?? '';
  if (token === '') throw tokenError('GITHUB_TOKEN is not set.', named);
  return openGitHub({
    repository: named,
    apiUrl: getApiUrl(env),
    signal,
    now,
    token,
    log: line => tell(`${line}\n`),
    deadline: now() + ms,
    mutationSpacingMs: Number(env.PHOTON_MUTATION_SPACING_MS ?? 1000),
  });
}

/** The name of a repository as `--on` takes it. @throws PhotonError `USAGE`. */
function repositoryName(named: unknown): string {
  const repository = String(named);
  if (/^[\w.-]+\/[\w.-]+$/.test(repository)) return repository;
  const [, fromAddress] =
    /^https?:\/\/[^/]+\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(repository) ?? [];
  throw new PhotonError('USAGE', `--on takes OWNER/NAME, not ${JSON.stringify(repository)}.`, {
    hint: `Write it as ${fromAddress ?? 'octo-org/shop'}.`,
  });
}

const tokenError = (message: string, repository: string, cause?: unknown) =>
  new PhotonError('GITHUB_AUTH', message, {
    hint: `Set it to a token that can read ${repository}, such as that of gh auth token.`,
    cause,
  });

/** @throws PhotonError `GITHUB_*`. */
async function requireReadable(github: GitHub, apiUrl: string): Promise<void> {
  const { repository } = github;
  try {
    await github.rest.repos.get(github.where);
  } catch (error) {
    const { code, cause } = error instanceof PhotonError ? error : { code: null, cause: error };
    const status = getStatus(cause);
    const { host } = new URL(apiUrl);
    if (status === 404 || (status === 403 && code === 'GITHUB_PERMISSION'))
      throw new PhotonError(
        'GITHUB_REPOSITORY',
        `${repository} does not exist on ${host}, or GITHUB_TOKEN cannot read it.`,
        { cause: error },
      );
    if (code === 'GITHUB_UNAVAILABLE' && status === undefined)
      throw new PhotonError('GITHUB_UNAVAILABLE', `${apiUrl} did not answer.`, {
        hint: 'Check the network and GITHUB_API_URL, then try again.',
        cause: error,
      });
    if (status === 401)
      throw tokenError(`${host} does not accept GITHUB_TOKEN.`, repository, error);
    throw error;
  }
}

/** Address of GitHub's API. */
const getApiUrl = ({ GITHUB_API_URL }: Terminal['env']) =>
  GITHUB_API_URL || 'https://api.github.com';

/** Address of GitHub's pages. */
export const findServer = ({ GITHUB_SERVER_URL }: Terminal['env']) =>
  GITHUB_SERVER_URL || 'https://github.com';

interface RepositoryReport {
  readonly repository: string;
  readonly defaultBranch: string;
  /** True when `GITHUB_TOKEN` can open pull requests; undefined when the token cannot read the setting. */
  readonly mayOpenPulls: boolean | undefined;
  /** What to change for each setting that prevents a delivery. */
  readonly advice: readonly string[];
}

/**
 * Reads the repository and its setting for pull requests by Actions. Changes nothing.
 * @throws PhotonError `GITHUB_*` when the repository cannot be read.
 */
export async function examineRepository(github: GitHub): Promise<RepositoryReport> {
  const { data } = await github.rest.repos.get(github.where);
  const mayOpenPulls = await readSetting(github);
  const page = `${data.html_url}/settings/actions`;
  return {
    repository: github.repository,
    defaultBranch: data.default_branch,
    mayOpenPulls,
    advice:
      mayOpenPulls === false
        ? [
            `Allow GitHub Actions to create and approve pull requests (${page}, Workflow permissions), or set delivery: branch.`,
          ]
        : [],
  };
}

/** Only the token of an administrator can read this setting. */
async function readSetting(github: GitHub): Promise<boolean | undefined> {
  try {
    const { data } = await github.rest.actions.getGithubActionsDefaultWorkflowPermissionsRepository(
      github.where,
    );
    return data.can_approve_pull_request_reviews;
  } catch (error) {
    if ([401, 403, 404].includes(getStatus(error) ?? 0)) return undefined;
    throw githubError(error, github.signal);
  }
}
