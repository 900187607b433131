/** What a repository allows Photon to do, and the pull request that proposes Photon to it: opened once, updated in place, and left alone when closed. */
import { commitTree, makeTree, readCommit } from '../api/commit-objects.ts';
import type { GitHub } from '../api/github.ts';
import { getStatus, githubError } from '../api/github-errors.ts';
import { listPulls, type PullSummary } from '../api/pull-files.ts';
import { readRef } from '../api/refs.ts';
import { findOpenPullRequest, isOwnHead } from '../delivery/branch.ts';
import { noExtras } from '../delivery/open-pull.ts';
import { publishCommit } from '../delivery/publish.ts';

const branch = 'photon/onboarding';
const taskId = 'onboarding';

interface OnboardingRequest {
  /** The default branch, and its commit that the files are missing in. */
  readonly baseRef: string;
  readonly baseCommit: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly title: string;
  readonly body: string;
}

interface OnboardingPull {
  /** `closed`: a person closed it unmerged; `edited`: its branch holds commits of others. Neither is touched. */
  readonly state: 'created' | 'updated' | 'unchanged' | 'closed' | 'edited';
  readonly number: number;
  readonly url: string;
  readonly notes: readonly string[];
}

/**
 * Opens the pull request, or updates it.
 * @throws PhotonError `WORKFLOWS_FORBIDDEN`, `BRANCH_TAKEN`, `GITHUB_*`.
 */
export async function openOnboarding(
  github: GitHub,
  request: OnboardingRequest,
): Promise<OnboardingPull> {
  const { baseRef, baseCommit, title, body } = request;
  const open = await findOpenPullRequest(github, branch);
  // one with another title does not count
  const closed = (open ? [] : await listPulls(github, branch, 'closed')).find(
    pull => pull.merged_at === null && pull.title === title,
  );
  if (closed !== undefined) return summary('closed', closed);
  const { tree: baseTree } = await readCommit(github, baseCommit);
  const entries = request.files.map(({ path, text }) => ({
    ...({ path, mode: '100644', type: 'blob' } as const),
    content: text,
  }));
  const tree = await makeTree(github, { baseTree, entries });
  const head = await readRef(github, `refs/heads/${branch}`);
  if (open !== undefined && head !== undefined) {
    if (!(await isOwnHead(github, { sha: head, taskId }))) return summary('edited', open);
    const last = await readCommit(github, head);
    if (last.tree === tree && last.parents[0] === baseCommit)
      return updateText(github, request, open);
  }
  const message = `${title}\n\nPhoton-Task: ${taskId}\nPhoton-Tree: ${tree}\n`;
  const { delivered, notes } = await publishCommit(
    github,
    {
      branch,
      taskId,
      baseRef,
      draft: false,
      dispatchWorkflow: '',
      renderText: () => ({ title, body }),
      extras: noExtras,
    },
    () => commitTree(github, { tree, parents: [baseCommit], message }),
  );
  const { operation, pullRequestNumber: number = 0, pullRequestUrl: url = '' } = delivered;
  return { state: operation === 'created' ? 'created' : 'updated', number, url, notes };
}

function summary(state: OnboardingPull['state'], pull: PullSummary): OnboardingPull {
  return { state, number: pull.number, url: pull.html_url, notes: [] };
}

/** The branch is as it should be; only the text can have changed. */
async function updateText(
  github: GitHub,
  { body }: OnboardingRequest,
  pull: PullSummary,
): Promise<OnboardingPull> {
  if (pull.body === body) return summary('unchanged', pull);
  await github.rest.pulls.update({ ...github.where, pull_number: pull.number, body });
  return summary('updated', pull);
}

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
