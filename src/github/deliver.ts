/** A verified patch or a report on its way to GitHub. */
import type { Outcome, Staged } from '../outcome.ts';
import type { FileChange } from '../session/change.ts';
import type { Task } from '../task.ts';
import { branchOf } from './branch-of.ts';
import { sayingOf } from './client.ts';
import { postComment } from './comment.ts';
import type { Opened } from './open-run.ts';
import { type Published, publishPatch } from './publish.ts';

export interface PatchToDeliver {
  readonly task: Task;
  readonly outcome: Outcome;
  readonly changes: readonly FileChange[];
  readonly text: {
    readonly title: string;
    readonly body: string;
    readonly commitMessage: string;
    readonly marker: string;
  };
}

/**
 * Opens or updates the pull request of a task.
 * @throws PhotonError `GITHUB_*`, `BASE_MOVED`, `BRANCH_TAKEN`, `PUBLISH_MISMATCH`.
 */
export async function deliverOnGitHub(opened: Opened, patch: PatchToDeliver): Promise<Published> {
  const { git, repository } = opened;
  const { task, outcome, text } = patch;
  const { branch, labels, draft } = decideDelivery(opened, patch);
  opened.log('Delivery: publishing the verified patch.');
  return publishPatch(await opened.github(), {
    ...text,
    repository,
    baseRef: task.baseRef,
    baseCommit: git.commit,
    baseTree: git.tree,
    expectedTree: outcome.patch.tree,
    changes: patch.changes,
    ...{ branch, labels, draft },
    taskId: task.id,
  });
}

/** What a delivery will look like, before any of it is done. */
export function decideDelivery(
  { settings }: Pick<Opened, 'settings'>,
  { task, outcome, text }: Omit<PatchToDeliver, 'changes'>,
): Staged {
  const flagged = outcome.patch.files.some(f => f.flag !== undefined);
  return {
    branch: branchOf(task, settings),
    base: task.baseRef,
    title: text.title,
    body: text.body,
    labels: [...new Set([...settings.labels, ...(task.labels ?? [])])],
    draft: settings.draft || flagged,
  };
}

/** Longest that a report may take: a cancelled job has seconds left. */
const reportMs = { ordinary: 60_000, cancelled: 4_000 } as const;

/** Posts the comment where the task was asked; a failure is a note, since the outcome stands anyway. */
export async function reportOnGitHub(
  opened: Opened,
  task: Task,
  comment: { body: string; marker: string },
): Promise<string | null> {
  if (task.conversation === undefined) return null;
  const waitMs = opened.input.signal.aborted ? reportMs.cancelled : reportMs.ordinary;
  try {
    const github = await opened.reporter(waitMs);
    await postComment(github, {
      repository: opened.repository,
      conversation: task.conversation,
      ...comment,
    });
    return null;
  } catch (error) {
    return `The comment could not be posted: ${sayingOf(error)}`;
  }
}
