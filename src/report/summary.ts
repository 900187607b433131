/** Outcomes ► the job summary. */
import type { Outcome } from '../outcome.ts';
import { fencedText, inlineText, ownText } from './escape.ts';
import { repairSection } from './repair-section.ts';
import {
  decisionsTable,
  filesTable,
  fitParts,
  footer,
  planSection,
  usageLine,
  verificationTable,
  warnings,
} from './sections.ts';

/** GitHub drops a summary of more than 1 MiB. */
const maxBytes = 1_000_000;

/** One section a run; the diff of each is shown, cut in its middle when it is long. */
export function renderSummary(
  runs: readonly { readonly outcome: Outcome; readonly diff: string }[],
): string {
  const each = Math.floor(maxBytes / Math.max(1, runs.length)) - 10;
  return runs.map(({ outcome, diff }) => renderRun(outcome, diff, each)).join('\n---\n\n');
}

function renderRun(outcome: Outcome, diff: string, max: number): string {
  const { delivered, sandbox } = outcome;
  const walls = sandbox.guarantees
    .map(g => `${g.name} ${g.holds ? 'holds' : '**missing**'}`)
    .join(', ');
  const parts = [
    `## Photon: ${outcome.status} (\`${outcome.code}\`)`,
    delivered.pullRequestUrl === undefined
      ? ''
      : `Pull request #${delivered.pullRequestNumber} from branch ${inlineText(delivered.branch ?? '')}`,
    inlineText(outcome.message, 600),
    outcome.statement === undefined ? '' : fencedText(outcome.statement, { maxChars: 1200 }),
    outcome.status === 'committed' || outcome.hint === ''
      ? ''
      : `**What to do next:** ${ownText(outcome.hint)}`,
    ...warnings(outcome).filter(() => outcome.patch.files.length > 0),
    planSection(outcome),
    repairSection(outcome),
    verificationTable(outcome.verification),
    filesTable(outcome),
    diff === ''
      ? ''
      : fencedText(diff, { maxChars: Math.max(1000, Math.floor(max / 5)), info: 'diff' }),
    decisionsTable(outcome),
    walls === '' ? '' : `Sandbox: ${sandbox.launcher}; ${walls}.`,
    ...outcome.notes.map(n => `- ${inlineText(n, 400)}`),
  ];
  return fitParts(parts, [usageLine(outcome), footer(outcome)], max);
}
