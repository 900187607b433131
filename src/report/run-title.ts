/** What a run is called where people read it: what it changed, or what was asked. */
import { editTitle } from '../base/edit-title.ts';
import { hasPatch, type Outcome } from '../base/outcome.ts';

/** The part of an outcome that names a run. Outcomes of earlier versions have no text of the task. */
export type NamedRun = Pick<Outcome, 'status' | 'message'> & {
  readonly task: Pick<Outcome['task'], 'id' | 'text'>;
  readonly repair?: { readonly edit?: Parameters<typeof editTitle>[0] | undefined } | undefined;
};

/** Characters of a task on one line. */
const maxChars = 120;

/** What was asked, on one line; empty if the outcome does not say it. */
export function askedText({ task }: Pick<NamedRun, 'task'>, max = maxChars): string {
  const line = (task.text ?? '').replace(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
}

/** What the edit of the embedded engine changed, or what was asked if there is a patch; else how the run ended. */
export function runTitle(run: NamedRun): string {
  if (!hasPatch(run.status)) return run.message;
  const edit = run.repair?.edit;
  return (edit === undefined ? askedText(run) : editTitle(edit)) || run.message;
}
