/** Outcome ► the message of the one commit: a subject, what proves it, and trailers. */
import type { Outcome } from '../outcome.ts';
import type { Task } from '../task.ts';
import { plainTitle } from './escape.ts';

/** Words of a task on one plain line: nobody is pinged, nothing is closed. */
export function taskWords(task: Task, maxBytes = 72): string {
  return plainTitle(task.title ?? task.prompt.split('\n')[0] ?? '', maxBytes) || task.id;
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
  return [taskWords(task), '', proof, '', ...trailers, ''].join('\n');
}
