/** Metadata of a pull request: labels, people, milestone, auto-merge. A failure becomes a note. */
import type { Settings } from '../../../settings/settings.ts';
import { type GitHub, readPages } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';

/** The settings for the metadata; empty ones set nothing. */
export interface Extras
  extends Pick<
    Settings,
    'labels' | 'reviewers' | 'teamReviewers' | 'assignees' | 'milestone' | 'autoMerge'
  > {
  /** True when people must review the pull request first, so auto-merge stays off. */
  readonly held: boolean;
}

/** The metadata of a pull request that Photon opens about itself: none. */
export const noExtras: Extras = {
  labels: [],
  reviewers: [],
  teamReviewers: [],
  assignees: [],
  milestone: '',
  autoMerge: 'off',
  held: true,
};

interface PullRequestTarget {
  readonly number: number;
  readonly nodeId: string;
  /** False when an earlier run has already notified people; they are not notified twice. */
  readonly fresh: boolean;
}

/** Applies the metadata. @returns a note for each part that could not be set. */
export async function applyMetadata(
  github: GitHub,
  pull: PullRequestTarget,
  extras: Extras,
): Promise<readonly string[]> {
  const { labels, reviewers, teamReviewers, assignees, milestone, autoMerge, held } = extras;
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
  if (labels.length > 0)
    await attempt('The labels', () => rest.issues.addLabels({ ...issue, labels: [...labels] }));
  if (pull.fresh && reviewers.length + teamReviewers.length > 0) {
    const people = { reviewers: [...reviewers], team_reviewers: [...teamReviewers] };
    const request = { ...where, pull_number: pull.number, ...people };
    await attempt('The reviewers', () => rest.pulls.requestReviewers(request));
  }
  if (pull.fresh && assignees.length > 0)
    await attempt('The assignees', () =>
      rest.issues.addAssignees({ ...issue, assignees: [...assignees] }),
    );
  if (pull.fresh && milestone !== '')
    await attempt('The milestone', () => setMilestone(github, pull, milestone));
  if (pull.fresh && autoMerge !== 'off' && !held)
    await attempt('Auto-merge', () => enableAutoMerge(github, pull.nodeId, autoMerge));
  if (autoMerge !== 'off' && held)
    notes.push(
      'Auto-merge is off, because the pull request is a draft that people must review first.',
    );
  return notes;
}

async function setMilestone(
  github: GitHub,
  pull: PullRequestTarget,
  wanted: string,
): Promise<void> {
  const milestone = /^\d+$/.test(wanted) ? Number(wanted) : await findMilestone(github, wanted);
  if (milestone === undefined)
    throw new Error(`there is no open milestone "${wanted.slice(0, 80)}"`);
  await github.rest.issues.update({ ...github.where, issue_number: pull.number, milestone });
}

async function findMilestone(github: GitHub, title: string): Promise<number | undefined> {
  const where = { ...github.where, state: 'open' } as const;
  const open = await readPages(10, at => github.rest.issues.listMilestones({ ...where, ...at }));
  return open.find(m => m.title === title)?.number;
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
  await github.graphql(autoMergeMutation, { input: { pullRequestId, mergeMethod } });
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
export async function setDraft(
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
