/** Resolves the review thread of a command when the pushed patch changed the lines that it is about. */
import type { Task } from '../../../base/task.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import { lineChanges } from '../../../workspace/text/diff.ts';
import type { GitHub } from '../api/github.ts';
import { messageOf } from '../api/github-errors.ts';
import { fetchReviews, resolveThread } from './review-threads.ts';

export interface PushedPatch {
  readonly repository: string;
  readonly task: Task;
  /** Commit that the patch lies on. */
  readonly baseCommit: string;
  readonly changes: readonly FileChange[];
}

/** @returns what people should know. A thread that stays open fails nothing. */
export async function settleThread(
  github: GitHub,
  { repository, task, baseCommit, changes }: PushedPatch,
): Promise<readonly string[]> {
  const { conversation, headBranch } = task;
  if (conversation?.commentKind !== 'review') return [];
  // the lines of the comment are those of the head that the command was about
  if (headBranch?.sha !== baseCommit || !changesPlace(task, changes)) return [];
  try {
    const { threads } = await fetchReviews(github, repository, conversation.number);
    const thread = threads.find(t => t.comments.some(c => c.id === conversation.commentId));
    // a thread on the left side is about lines that the pull request removed
    if (thread === undefined || thread.isResolved || thread.diffSide !== 'RIGHT') return [];
    await resolveThread(github, thread.id);
    return [];
  } catch (error) {
    return [`The review thread could not be resolved. Resolve it yourself: ${messageOf(error)}`];
  }
}

/** True if the patch replaces or removes a line that the comment is about. */
function changesPlace({ place }: Task, changes: readonly FileChange[]): boolean {
  const { startLine: first, endLine: last } = place ?? {};
  const change = changes.find(c => c.path === place?.path);
  if (change === undefined || first == null || last == null) return false;
  if (change.after === null) return true;
  const lines = lineChanges(change) ?? [];
  return lines.some(({ startLine, removed }) =>
    removed === 0
      ? first < startLine && startLine <= last
      : startLine <= last && startLine + removed > first,
  );
}
