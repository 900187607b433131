/** Says why a task of a workflow waits, and for whom. */

/** Why a task waits. */
export type Wait =
  | { readonly for: 'review'; readonly reason: 'required' | 'doubt' }
  | { readonly for: 'review'; readonly reason: 'flagged'; readonly paths: readonly string[] }
  | { readonly for: 'tasks'; readonly tasks: readonly { id: string; status: string }[] }
  | { readonly for: 'repair'; readonly failed: string; readonly code: string }
  | { readonly for: 'start' };

export interface WaitText {
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
