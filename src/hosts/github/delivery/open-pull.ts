/** Opens the pull request of a branch or updates it, with its labels, people and auto-merge. */
import type { Settings } from '../../../settings/settings.ts';
import { type GitHub, noRetry } from '../api/github.ts';
import { formatMessage, getCause, getStatus } from '../api/github-errors.ts';
import { findOpenPullRequest } from './branch.ts';

/** What Photon reads of a pull request. */
export interface Pull {
  readonly number: number;
  readonly html_url: string;
  readonly node_id: string;
  readonly draft?: boolean | undefined;
}

interface PullToOpen {
  readonly branch: string;
  readonly baseRef: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  /** True: a draft that does not have to be one is marked as ready for review. */
  readonly ready?: boolean;
  /** The open pull request of the branch, as it was found, or undefined. */
  readonly known: Pull | undefined;
}

export interface OpenedPull {
  readonly pull: Pull;
  readonly operation: 'created' | 'updated';
  readonly notes: readonly string[];
}

/** Opens or updates. @throws PhotonError `GITHUB_*`. */
export async function openOrUpdatePull(github: GitHub, request: PullToOpen): Promise<OpenedPull> {
  if (request.known !== undefined) return updatePull(github, request, request.known);
  try {
    const pull = await openPull(github, request, request.draft);
    return { pull, operation: 'created', notes: [] };
  } catch (error) {
    if (getStatus(error) !== 422) throw error;
    if (request.draft && /draft/i.test(formatMessage(error))) {
      const notes = [
        'This repository does not support drafts, so Photon opened an ordinary pull request.',
      ];
      return { pull: await openPull(github, request, false), operation: 'created', notes };
    }
    // somebody has opened one for the branch in the meantime
    const found = await github.readWritten(() => findOpenPullRequest(github, request.branch));
    if (found === undefined) throw error;
    return updatePull(github, request, found);
  }
}

/** Opens a pull request. GitHub can refuse for a moment, because it does not know the new branch yet. */
async function openPull(github: GitHub, request: PullToOpen, draft: boolean): Promise<Pull> {
  const { branch, baseRef, title, body } = request;
  const fields = { title, body, head: branch, base: baseRef, draft };
  const open = () =>
    github.createOnce<Pull>(
      async () => (await github.rest.pulls.create({ ...github.where, ...fields, ...noRetry })).data,
      () => findOpenPullRequest(github, branch),
    );
  const opened = await github.readWritten(
    () =>
      open().catch((error: unknown) =>
        isHeadUnknown(error) ? { refused: error } : rethrow(error),
      ),
    found => !('refused' in found),
  );
  return 'refused' in opened ? rethrow(opened.refused) : opened;
}

function rethrow(error: unknown): never {
  throw error;
}

/** True for `422 Validation Failed` with an error in the field `head`. */
function isHeadUnknown(error: unknown): boolean {
  const { response } = getCause(error) as { response?: { data?: { errors?: unknown } } };
  const errors: readonly { field?: unknown; code?: unknown }[] = [
    response?.data?.errors ?? [],
  ].flat();
  return getStatus(error) === 422 && errors.some(e => e?.field === 'head' && e.code === 'invalid');
}

async function updatePull(github: GitHub, request: PullToOpen, pull: Pull): Promise<OpenedPull> {
  const { title, body, draft, ready = false } = request;
  const where = { ...github.where, pull_number: pull.number };
  const { data } = await github.rest.pulls.update({ ...where, title, body });
  const changes = draft ? pull.draft === false : ready && pull.draft === true;
  const notes = changes ? await setDraft(github, pull.node_id, draft) : [];
  return { pull: data, operation: 'updated', notes };
}

interface WorkflowToStart {
  /** File name of the workflow; empty to start none. */
  readonly workflow: string;
  readonly branch: string;
  /** True when people must review the code first: unreviewed code does not run with the workflow's rights. */
  readonly held: boolean;
}

/** Starts the workflow on the branch. @returns a note when it was not started. */
export async function startWorkflow(
  github: GitHub,
  { workflow, branch, held }: WorkflowToStart,
): Promise<readonly string[]> {
  if (workflow === '') return [];
  if (held)
    return [
      `Photon did not start ${workflow}, because the pull request is a draft that people must review first.`,
    ];
  try {
    await github.rest.actions.createWorkflowDispatch({
      ...github.where,
      workflow_id: workflow,
      ref: branch,
      ...noRetry,
    });
    return [];
  } catch (error) {
    return [`Photon could not start the workflow ${workflow}: ${formatMessage(error)}`];
  }
}

/** The settings for the metadata; empty ones set nothing. */
export interface Extras
  extends Pick<Settings, 'labels' | 'reviewers' | 'teamReviewers' | 'assignees' | 'autoMerge'> {
  /** True when people must review the pull request first, so auto-merge stays off. */
  readonly held: boolean;
}

const timelineQuery = `query Timeline($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    timelineItems(first: 100, itemTypes: [
      REVIEW_REQUESTED_EVENT, ASSIGNED_EVENT,
      AUTO_MERGE_ENABLED_EVENT, AUTO_SQUASH_ENABLED_EVENT, AUTO_REBASE_ENABLED_EVENT
    ]) { nodes { __typename } }
  } }
}`;

interface Timeline {
  readonly repository: {
    readonly pullRequest: {
      readonly timelineItems: { readonly nodes: readonly { readonly __typename: string }[] };
    };
  };
}

/** Names of what has happened to a pull request. A run that was killed may not have come to all of it. */
async function readEvents(github: GitHub, number: number): Promise<string> {
  const { repository } = await github.graphql<Timeline>(timelineQuery, { ...github.where, number });
  return repository.pullRequest.timelineItems.nodes.map(node => node.__typename).join(' ');
}

/**
 * Applies the metadata. What an earlier run has set is not set again: nobody is notified twice, and
 * what people took away stays away.
 * @returns a note for each part that could not be set.
 */
export async function applyMetadata(
  github: GitHub,
  { pull, operation }: OpenedPull,
  extras: Extras,
): Promise<readonly string[]> {
  const { labels, reviewers, teamReviewers, assignees, autoMerge, held } = extras;
  const { rest, where } = github;
  const issue = { ...where, issue_number: pull.number };
  const notes: string[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      notes.push(`${what} could not be set: ${formatMessage(error)}`);
    }
  };
  let events = operation === 'created' ? '' : undefined;
  const once = (what: string, event: RegExp, work: () => Promise<unknown>) =>
    attempt(what, async () => {
      events ??= await readEvents(github, pull.number);
      if (!event.test(events)) await work();
    });
  if (labels.length > 0)
    await attempt('The labels', () => rest.issues.addLabels({ ...issue, labels: [...labels] }));
  if (reviewers.length + teamReviewers.length > 0)
    await once('The reviewers', /ReviewRequested/, () =>
      rest.pulls.requestReviewers({
        ...where,
        pull_number: pull.number,
        reviewers: [...reviewers],
        team_reviewers: [...teamReviewers],
      }),
    );
  if (assignees.length > 0)
    await once('The assignees', /Assigned/, () =>
      rest.issues.addAssignees({ ...issue, assignees: [...assignees] }),
    );
  if (autoMerge !== 'off' && !held)
    await once('Auto-merge', /Auto\w+Enabled/, () =>
      enableAutoMerge(github, pull.node_id, autoMerge),
    );
  if (autoMerge !== 'off' && held)
    notes.push(
      'Auto-merge is off, because the pull request is a draft that people must review first.',
    );
  return notes;
}

const autoMergeMutation = `mutation AutoMerge($input: EnablePullRequestAutoMergeInput!) {
  enablePullRequestAutoMerge(input: $input) { clientMutationId }
}`;

async function enableAutoMerge(
  github: GitHub,
  pullRequestId: string,
  method: 'merge' | 'squash' | 'rebase',
): Promise<void> {
  const mergeMethod = method.toUpperCase();
  try {
    await github.graphql(autoMergeMutation, { input: { pullRequestId, mergeMethod } });
  } catch (error) {
    if (!/\bclean status\b/i.test(formatMessage(error))) throw error;
    throw new Error('the pull request has nothing to wait for. A person can merge it now.');
  }
}

const draftMutations = {
  true: `mutation ToDraft($input: ConvertPullRequestToDraftInput!) {
  convertPullRequestToDraft(input: $input) { clientMutationId }
}`,
  false: `mutation ToReady($input: MarkPullRequestReadyForReviewInput!) {
  markPullRequestReadyForReview(input: $input) { clientMutationId }
}`,
};

/** Makes an open pull request a draft, or marks it as ready for review. @returns a note when that fails. */
async function setDraft(
  github: GitHub,
  pullRequestId: string,
  draft: boolean,
): Promise<readonly string[]> {
  try {
    await github.graphql(draftMutations[`${draft}`], { input: { pullRequestId } });
    return [];
  } catch (error) {
    const what = draft
      ? 'convert the pull request to a draft'
      : 'mark the pull request as ready for review';
    return [`Photon could not ${what}: ${formatMessage(error)}`];
  }
}
