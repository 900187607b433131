/** What the settings of a repository allow Photon to do, as far as the token can read them. */
import type { GitHub } from '../api/github.ts';
import { getStatus, githubError } from '../api/github-errors.ts';

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
  const where = github.where;
  const { data } = await github.rest.repos.get(where);
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
