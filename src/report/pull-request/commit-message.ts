/** Turns an outcome into the message of its commit: a subject, the proof, and trailers. */
import { editTitles } from '../../base/edit-title.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import { plainTitle } from '../escape.ts';

const titleBytes = 72;

/** A task on one plain line that pings nobody and closes nothing: its first sentence if that fits. */
function taskTitle(task: Task): string {
  const line = task.title ?? task.prompt.split('\n')[0] ?? '';
  const sentence = /^.{15,70}?(?=[.!?]\s+\p{Lu})/u.exec(line.trim())?.[0];
  return plainTitle(sentence ?? line, titleBytes) || task.id;
}

/**
 * The text of a title: the task. The embedded engine does not read the task, so its title says what it
 * changed, such as `Round up in paidHours`.
 */
export function titleText(task: Task, outcome: Outcome): string {
  const edit = outcome.engine === 'builtin' ? outcome.repair?.edit : undefined;
  if (edit === undefined) return taskTitle(task);
  // a title that would lose a sign would say something else
  const isWhole = (title: string) => plainTitle(title, 200) === title.replaceAll('`', '');
  const titles = editTitles(edit).filter(isWhole);
  const short = titles
    .map(title => plainTitle(title, 200))
    .find(title => Buffer.byteLength(title) <= titleBytes);
  return short ?? 'Fix failing tests';
}

/**
 * The commit message. Photon recognises its own commits by the trailers: task, run, tree and
 * head of the ledger. `coAuthor` is the trailer that names the requester; empty to name nobody.
 */
export function renderCommitMessage(task: Task, outcome: Outcome, coAuthor = ''): string {
  const { passed, after } = outcome.verification ?? {};
  const proof =
    passed === true && after !== undefined
      ? `Verified by: ${plainTitle(after.command, 200)}`
      : 'Not verified.';
  const trailers = [
    `Photon-Task: ${task.id}`,
    `Photon-Run: ${outcome.runId}`,
    `Photon-Tree: ${outcome.patch.tree}`,
    `Photon-Ledger: ${outcome.ledger.head}`,
    coAuthor === '' ? undefined : coAuthor,
  ].filter(item => item !== undefined);
  return [titleText(task, outcome), '', proof, '', ...trailers, ''].join('\n');
}
