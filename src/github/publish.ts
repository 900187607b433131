/** The verified patch ► a pull request, through the API alone; nothing is visible until all of it is. */
import { PhotonError } from '../codes.ts';
import type { Delivered } from '../outcome.ts';
import { type GitHub, noRetry, sayingOf, splitRepository, statusOf, withCodes } from './client.ts';
import { type CommitRequest, createCommit } from './commit-objects.ts';

export interface PublishRequest extends CommitRequest {
  readonly repository: string;
  readonly baseRef: string;
  readonly branch: string;
  readonly taskId: string;
  readonly title: string;
  readonly body: string;
  readonly marker: string;
  readonly draft: boolean;
  readonly labels: readonly string[];
}

export interface Published {
  readonly delivered: Delivered;
  readonly notes: readonly string[];
}

type Where = ReturnType<typeof splitRepository>;
type Pull = Awaited<ReturnType<GitHub['rest']['pulls']['get']>>['data'];
type PullSummary = Awaited<ReturnType<GitHub['rest']['pulls']['list']>>['data'][number];

/**
 * Publishes a patch. Objects first, then the branch, then the pull request; when that cannot be
 * made the branch is put back, so that a failure leaves no trace.
 * @throws PhotonError `PUBLISH_MISMATCH`, `BASE_MOVED`, `BRANCH_TAKEN`, `GITHUB_*`.
 */
export async function publishPatch(github: GitHub, request: PublishRequest): Promise<Published> {
  requireSafeRef(request.branch);
  const where = splitRepository(request.repository);
  return withCodes(github, async () => {
    await requireBase(github, where, request);
    const existing = await inspectBranch(github, where, request);
    const commit = await createCommit(github, where, request);
    await setBranch(github, where, { request, commit, existing });
    try {
      const { pull, operation, notes } = await openOrUpdate(github, where, { request, existing });
      await requireArrival(github, where, { branch: request.branch, commit });
      const labelNotes = await label(github, where, { pull: pull.number, labels: request.labels });
      return {
        delivered: deliveredAs(pull, { branch: request.branch, commit, operation }),
        notes: [...notes, ...labelNotes],
      };
    } catch (error) {
      await restoreBranch(github, where, { branch: request.branch, existing });
      throw error;
    }
  });
}

/** The open pull request of a branch, or null. */
export async function findOpenPullRequest(
  github: GitHub,
  repository: string,
  branch: string,
): Promise<PullSummary | null> {
  const where = splitRepository(repository);
  const { data } = await withCodes(github, () =>
    github.rest.pulls.list({
      ...where,
      state: 'open',
      head: `${where.owner}:${branch}`,
      per_page: 5,
    }),
  );
  return data[0] ?? null;
}

/** True when the head of a branch is a commit of Photon's for this task. */
export async function isOwnHead(
  github: GitHub,
  repository: string,
  head: { sha: string; taskId: string },
): Promise<boolean> {
  const { data } = await withCodes(github, () =>
    github.rest.git.getCommit({ ...splitRepository(repository), commit_sha: head.sha }),
  );
  return data.message.split('\n').includes(`Photon-Task: ${head.taskId}`);
}

function deliveredAs(
  pull: Pick<Pull, 'number' | 'html_url'>,
  more: { branch: string; commit: string; operation: 'created' | 'updated' },
): Delivered {
  return {
    kind: 'pull-request',
    ...more,
    pullRequestNumber: pull.number,
    pullRequestUrl: pull.html_url,
  };
}

function requireSafeRef(branch: string): void {
  const safe = /^[a-z0-9][a-z0-9/_.-]*$/.test(branch) && !/\.\.|\/\/|\.lock$|[/.]$/.test(branch);
  if (!safe) throw new PhotonError('SETTING_INVALID', `branch "${branch}" cannot be used`);
}

/** The base branch must still hold the commit that the run started at. */
async function requireBase(github: GitHub, where: Where, request: PublishRequest): Promise<void> {
  const { data: ref } = await github.rest.git.getRef({ ...where, ref: `heads/${request.baseRef}` });
  if (ref.object.sha === request.baseCommit) return;
  const { data } = await github.rest.repos.compareCommitsWithBasehead({
    ...where,
    basehead: `${request.baseCommit}...${ref.object.sha}`,
    per_page: 1,
  });
  if (data.status === 'ahead' || data.status === 'identical') return;
  throw new PhotonError(
    'BASE_MOVED',
    `${request.baseRef} no longer holds ${request.baseCommit.slice(0, 12)}.`,
  );
}

interface Existing {
  readonly sha: string;
  readonly pull: PullSummary | null;
}

/** What is on the branch already; a commit of somebody else's is never overwritten. */
async function inspectBranch(
  github: GitHub,
  where: Where,
  request: PublishRequest,
): Promise<Existing | null> {
  const sha = await headOf(github, where, request.branch);
  if (sha === null) return null;
  const own = await isOwnHead(github, request.repository, { sha, taskId: request.taskId });
  if (!own)
    throw new PhotonError(
      'BRANCH_TAKEN',
      `${request.branch} holds commits that are not of this task.`,
    );
  return { sha, pull: await findOpenPullRequest(github, request.repository, request.branch) };
}

async function headOf(github: GitHub, where: Where, branch: string): Promise<string | null> {
  try {
    return (await github.rest.git.getRef({ ...where, ref: `heads/${branch}` })).data.object.sha;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

interface BranchSet {
  readonly request: PublishRequest;
  readonly commit: string;
  readonly existing: Existing | null;
}

async function setBranch(
  github: GitHub,
  where: Where,
  { request, commit, existing }: BranchSet,
): Promise<void> {
  if (existing !== null) {
    await github.rest.git.updateRef({
      ...where,
      ref: `heads/${request.branch}`,
      sha: commit,
      force: true,
    });
    return;
  }
  await github.createOnce(
    async () => {
      await github.rest.git.createRef({
        ...where,
        ref: `refs/heads/${request.branch}`,
        sha: commit,
        ...noRetry,
      });
      return commit;
    },
    async () => ((await headOf(github, where, request.branch)) === commit ? commit : null),
  );
}

interface Opened {
  readonly pull: Pick<Pull, 'number' | 'html_url'>;
  readonly operation: 'created' | 'updated';
  readonly notes: readonly string[];
}

async function openOrUpdate(
  github: GitHub,
  where: Where,
  { request, existing }: { request: PublishRequest; existing: Existing | null },
): Promise<Opened> {
  const { title, body } = request;
  if (existing?.pull) {
    const { data } = await github.rest.pulls.update({
      ...where,
      pull_number: existing.pull.number,
      title,
      body,
    });
    return { pull: data, operation: 'updated', notes: [] };
  }
  const open = (draft: boolean) =>
    github.createOnce<Pick<Pull, 'number' | 'html_url'>>(
      async () =>
        (
          await github.rest.pulls.create({
            ...where,
            head: request.branch,
            base: request.baseRef,
            title,
            body,
            draft,
            ...noRetry,
          })
        ).data,
      () => findOpenPullRequest(github, request.repository, request.branch),
    );
  try {
    return { pull: await open(request.draft), operation: 'created', notes: [] };
  } catch (error) {
    const noDrafts = request.draft && statusOf(error) === 422 && /draft/i.test(sayingOf(error));
    if (!noDrafts) throw error;
    return {
      pull: await open(false),
      operation: 'created',
      notes: ['This repository has no draft pull requests; it was opened as an ordinary one.'],
    };
  }
}

/** A push that did not arrive is an ending with a name. */
async function requireArrival(
  github: GitHub,
  where: Where,
  { branch, commit }: { branch: string; commit: string },
): Promise<void> {
  const sha = await headOf(github, where, branch);
  if (sha !== commit)
    throw new PhotonError(
      'PUBLISH_MISMATCH',
      `${branch} is at ${sha ?? 'nothing'} instead of ${commit}.`,
    );
}

async function label(
  github: GitHub,
  where: Where,
  { pull, labels }: { pull: number; labels: readonly string[] },
): Promise<readonly string[]> {
  if (labels.length === 0) return [];
  try {
    await github.rest.issues.addLabels({ ...where, issue_number: pull, labels: [...labels] });
    return [];
  } catch (error) {
    return [`The labels could not be set: ${sayingOf(error)}`];
  }
}

/** Puts the branch back to what it was; a failure here is told, the first one counts. */
async function restoreBranch(
  github: GitHub,
  where: Where,
  { branch, existing }: { branch: string; existing: Existing | null },
): Promise<void> {
  try {
    if (existing === null) await github.rest.git.deleteRef({ ...where, ref: `heads/${branch}` });
    else
      await github.rest.git.updateRef({
        ...where,
        ref: `heads/${branch}`,
        sha: existing.sha,
        force: true,
      });
  } catch (error) {
    github.log(`GitHub: ${branch} could not be put back: ${sayingOf(error)}`);
  }
}
