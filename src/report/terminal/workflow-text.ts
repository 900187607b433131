/** Renders the state of a workflow for the terminal. */
import { joinDefined, plural } from '../../base/plural.ts';

export interface TaskLine {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly commit?: string | undefined;
  readonly run?: string | undefined;
  readonly code?: string | undefined;
  readonly wait?: Wait | undefined;
}

/** One line per task: status, number of runs, how the last one ended, its commit; a second one says why it waits. */
export function renderWorkflow({
  workflow,
  branch,
  tasks,
}: {
  workflow: string;
  branch: string;
  tasks: readonly TaskLine[];
}): string {
  const wide = Math.max(...tasks.map(t => t.id.length));
  const lines = tasks.flatMap(({ id, status, attempts, code, commit, run, wait }) => {
    const review = `photon workflow approve ${workflow} ${id}`;
    const line = joinDefined(
      [
        `  ${id.padEnd(wide)}  ${status.padEnd(12)}`,
        attempts === 0 ? 'not run yet' : plural(attempts, 'run'),
        code,
        run === undefined ? undefined : `run ${run}`,
        commit === undefined ? undefined : `commit ${commit.slice(0, 12)}`,
      ],
      '  ',
    );
    if (wait === undefined) return [line];
    return [line, `    ${renderWait(wait, { quote: text => text, review })}`];
  });
  return [`workflow ${workflow} on ${branch}`, ...lines, ''].join('\n');
}

export type Wait =
  | { readonly for: 'review'; readonly reason: 'required' | 'doubt' }
  | { readonly for: 'review'; readonly reason: 'flagged'; readonly paths: readonly string[] }
  | { readonly for: 'tasks'; readonly tasks: readonly { id: string; status: string }[] }
  | { readonly for: 'repair'; readonly failed: string; readonly code: string }
  | { readonly for: 'start' };

interface WaitText {
  /** Makes text of others safe for the target. */
  readonly quote: (text: string) => string;
  /** Who ends a review, and how. */
  readonly review: string;
}

const maxPaths = 5;

/** What follows the id of the task, without a full stop. */
export function renderWait(wait: Wait, { quote, review }: WaitText): string {
  switch (wait.for) {
    case 'review': {
      const because =
        wait.reason === 'flagged'
          ? `it changes ${wait.paths.slice(0, maxPaths).map(quote).join(', ')}${wait.paths.length > maxPaths ? ' and more' : ''}`
          : { required: 'the workflow requires one', doubt: 'its verification has warnings' }[
              wait.reason
            ];
      return `waits for a review, because ${because}: ${review}`;
    }
    case 'tasks':
      return `waits for ${wait.tasks.map(t => `${quote(t.id)} (${t.status})`).join(', ')}`;
    case 'repair':
      return `waits, because ${quote(wait.failed)} failed (${quote(wait.code)}): correct its cause, then run the workflow again`;
    case 'start':
      return 'waits for the next start of the workflow';
  }
}
