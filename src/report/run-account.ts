/** Tells what a run did, from its outcome and its ledger, as plain lines. */

import { askedText, runTitle } from '../base/edit-title.ts';
import type { Outcome } from '../base/outcome.ts';
import { plural, seconds } from '../base/plural.ts';
import { readTimeline, type TimelineEntry } from '../ledger/timeline.ts';
import { provenTests } from './terminal/run-text.ts';

/** Calls that the account names. */
const maxCalls = 200;

/** What was asked, how it ended, what the tests showed, and each call with the decision about it. */
export function runAccount(outcome: Outcome, ledger: string): string {
  const { status, code, message, verification, repair, patch, delivered } = outcome;
  const { rounds, marks } = readTimeline(ledger, Date.parse(outcome.startedAt));
  const refused = marks.filter(mark => mark.decision !== 'pass');
  const calls = [...refused, ...rounds.flatMap(round => [round, ...round.calls])];
  calls.sort((a, b) => a.seq - b.seq);
  const left = calls.length - maxCalls;
  const title = runTitle(outcome);
  return [
    `asked: ${askedText(outcome, 500) || outcome.task.id}`,
    `ended: ${status} (${code}) after ${seconds(outcome.durationMs)}. ${message}`,
    title === message ? undefined : `changed: ${title}`,
    patch.files.length === 0 ? undefined : `files: ${patch.files.map(f => f.path).join(', ')}`,
    verification === null ? undefined : `tests: ${provenTests(verification)}`,
    ...(repair?.warnings ?? []).map(warning => `warning: ${warning}`),
    delivered.pullRequestUrl === undefined ? undefined : `delivered: ${delivered.pullRequestUrl}`,
    'decisions, by entry of the ledger:',
    ...calls.slice(0, maxCalls).map(describeCall),
    left > 0 ? `  The ledger has ${plural(left, 'more call')}.` : undefined,
    '',
  ]
    .filter(item => item !== undefined)
    .join('\n');
}

function describeCall({ seq, tool, decision, code, section, paths, evidence }: TimelineEntry) {
  const why = [code ?? '', section === '' ? '' : `section ${section}`, evidence.slice(0, 300)];
  const about = paths.slice(0, 3).join(', ');
  const end = decision === 'pass' ? '' : ` ${why.filter(Boolean).join(': ')}`;
  return `  ${seq} ${tool}${about === '' ? '' : ` ${about}`}: ${decision}${end}`;
}
