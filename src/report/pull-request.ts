/** Outcome ► title, body and commit message of a pull request. Never the model's prose. */
import type { Outcome } from '../outcome.ts';
import type { Task } from '../task.ts';
import { fencedText, inlineText, plainTitle } from './escape.ts';
import { repairSection } from './repair-section.ts';
import {
  decisionsTable,
  filesTable,
  fitParts,
  folded,
  footer,
  marker,
  planSection,
  usageLine,
  verificationTable,
  warnings,
} from './sections.ts';

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
  readonly commitMessage: string;
  readonly marker: string;
}

/** What the ledger knows when the text is made is its state before delivery. */
export function renderPullRequest(task: Task, outcome: Outcome): PullRequestText {
  const words = plainTitle(task.prompt.split('\n')[0] ?? '') || task.id;
  const title = plainTitle(
    task.maintenance === undefined ? words : `${task.maintenance}: ${words}`,
  );
  const asked =
    task.conversation === undefined
      ? ''
      : `Asked for in #${task.conversation.number} by ${inlineText(task.askedBy, 60)}.`;
  const parts = [
    ...warnings(outcome),
    asked,
    `Task:\n\n${fencedText(task.prompt, { maxChars: 2000 })}`,
    planSection(outcome),
    repairSection(outcome),
    '## Verification',
    verificationTable(outcome.verification) || 'None.',
    '## Patch',
    filesTable(outcome),
    folded('Decisions', decisionsTable(outcome)),
    'To undo it after a merge, revert the one commit of this pull request.',
  ];
  const end = ['---', usageLine(outcome), footer(outcome), marker(task.id)];
  return {
    title,
    body: fitParts(parts, end),
    commitMessage: commitMessage(task, outcome, words),
    marker: marker(task.id),
  };
}

function commitMessage(task: Task, outcome: Outcome, words: string): string {
  const verified = outcome.verification?.after;
  const proof =
    verified === undefined ? 'Not verified.' : `Verified by: ${plainTitle(verified.command, 200)}`;
  return [
    plainTitle(words, 72),
    '',
    proof,
    '',
    `Photon-Task: ${task.id}`,
    `Photon-Run: ${outcome.runId}`,
    '',
  ].join('\n');
}
