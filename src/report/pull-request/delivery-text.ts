/** The texts of a delivery, made from the outcome when it is delivered. */
import type { Outcome } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { Settings } from '../../settings/settings.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { renderCommitMessage } from './commit-message.ts';
import { renderPullRequest } from './pull-request.ts';
import { renderSuggestions, type ShownLines } from './suggestions.ts';
import { weakSpots } from './weak-spots.ts';

/** Renders commit message, pull request and suggestions for one task. */
export function deliveryText(
  task: Task,
  { titleTemplate, bodyTemplate }: Pick<Settings, 'titleTemplate' | 'bodyTemplate'>,
) {
  return {
    commitMessage: (outcome: Outcome, coAuthor: string) =>
      renderCommitMessage(task, outcome, coAuthor),
    pullRequest: (
      outcome: Outcome,
      about: { readonly startsNoWorkflow: boolean; readonly startedWorkflow: string },
    ) => renderPullRequest(task, outcome, { ...about, titleTemplate, bodyTemplate }),
    weakSpots,
    suggestions: (
      outcome: Outcome,
      lines: { readonly changes: readonly FileChange[]; readonly shown: ShownLines },
    ) => renderSuggestions(task, outcome, lines),
  };
}
