/** Outcome ► the message of the one commit: a subject, what proves it, and trailers. */
import type { Outcome } from '../outcome.ts';
import type { Task } from '../task.ts';
import { plainTitle } from './escape.ts';

const titleBytes = 72;

/**
 * Words of a task on one plain line: nobody is pinged, nothing is closed. A first sentence that fits is all
 * of it.
 */
function taskWords(task: Task): string {
  const line = task.title ?? task.prompt.split('\n')[0] ?? '';
  const sentence = /^.{15,70}?(?=[.!?]\s+\p{Lu})/u.exec(line.trim())?.[0];
  return plainTitle(sentence ?? line, titleBytes) || task.id;
}

/**
 * What a title says: the words of the task. The embedded engine does not read a task, so that it says what
 * it did, such as `Fix orderTotal: another constant`.
 */
export function titleText(task: Task, outcome: Outcome): string {
  const edit = outcome.engine === 'builtin' ? outcome.repair?.edit : undefined;
  if (edit === undefined) return taskWords(task);
  const place = edit.symbol || edit.path;
  const titles = [`Fix ${place}: ${edit.kind}`, `Fix ${place}`, `Fix code: ${edit.kind}`].map(t =>
    plainTitle(t, 200),
  );
  return titles.find(t => Buffer.byteLength(t) <= titleBytes) ?? 'Fix failing tests';
}

/**
 * By its trailers Photon finds its own commits again: task, run, tree as it was verified, and the
 * ledger's head. `coAuthor` is the line of who asked; empty where nobody is to be named.
 */
export function renderCommitMessage(task: Task, outcome: Outcome, coAuthor = ''): string {
  const verified = outcome.verification?.after;
  const proof =
    verified === undefined ? 'Not verified.' : `Verified by: ${plainTitle(verified.command, 200)}`;
  const trailers = [
    `Photon-Task: ${task.id}`,
    `Photon-Run: ${outcome.runId}`,
    `Photon-Tree: ${outcome.patch.tree}`,
    `Photon-Ledger: ${outcome.ledger.head}`,
    ...(coAuthor === '' ? [] : [coAuthor]),
  ];
  return [titleText(task, outcome), '', proof, '', ...trailers, ''].join('\n');
}
