/** Outcome ► the one structured comment on the issue or pull request that asked. */
import type { Outcome } from '../outcome.ts';
import { answerParts } from './answer.ts';
import { fencedText, inlineText, ownText } from './escape.ts';
import {
  decisionsTable,
  fitParts,
  folded,
  footer,
  joinParts,
  marker,
  planSection,
  stagedSection,
  usageLine,
  verificationTable,
} from './sections.ts';

/** How a patch was delivered, in a heading. */
const deliveries = {
  'pull-request': 'Photon opened a pull request',
  branch: 'Photon pushed a verified branch',
  commit: 'Photon pushed a verified commit',
  suggestions: 'Photon suggests a verified change',
  patch: 'Photon made a verified patch',
  applied: 'Photon made a verified patch',
  none: 'Photon made a verified patch',
} as const;

const headings = {
  rolled_back: 'Photon rolled back: the patch did not verify',
  abstained: 'Photon abstained',
  needs_clarification: 'Photon needs one answer',
  failed: 'Photon failed',
  no_change: 'Photon changed nothing',
} as const;

export interface CommentText {
  readonly body: string;
  readonly marker: string;
}

/**
 * Heading, code, phase, what happened, what to do next, and the outcome as JSON in a folded block.
 * `ask` is the hidden mark by which an answer finds the question; empty where nobody can answer.
 * An answer to a command is its words alone.
 */
export function renderComment(outcome: Outcome, ask = ''): CommentText {
  const mark = marker(outcome.task.id);
  const { delivered, answer } = outcome;
  if (answer !== undefined)
    return { body: fitParts(answerParts(answer), [footer(outcome), mark]), marker: mark };
  const kept =
    outcome.patch.files.length > 0 && outcome.status !== 'committed'
      ? 'The patch is kept in the files of the run, not in the repository.'
      : '';
  const question = outcome.status === 'needs_clarification' && outcome.code !== 'APPROVAL_NEEDED';
  const open = question ? ask : '';
  const written =
    (outcome.status === 'committed' && outcome.staged === undefined) ||
    outcome.code === 'UNDONE' ||
    outcome.code === 'RECORDS_APPLIED'
      ? ''
      : 'Nothing was written to the repository.';
  const parts = [
    `### ${headingOf(outcome)}`,
    linkTo(delivered),
    `\`${outcome.code}\` in phase ${outcome.phase}: ${inlineText(outcome.message, 600)}`,
    statement(outcome),
    nextStep(outcome, open),
    [written, kept].filter(Boolean).join(' '),
    stagedSection(outcome),
    planSection(outcome),
    approvalLine(outcome),
    verificationTable(outcome.verification),
    failureOutput(outcome),
    folded('Decisions', decisionsTable(outcome)),
    usageLine(outcome),
    folded(
      'Outcome as JSON',
      fencedText(JSON.stringify(outcome, null, 2), { maxChars: 20_000, info: 'json' }),
    ),
  ];
  return {
    body: fitParts(parts, [footer(outcome), open, mark], { page: outcome.page }),
    marker: mark,
  };
}

function linkTo({ pullRequestNumber, compareUrl }: Outcome['delivered']): string {
  if (pullRequestNumber !== undefined) return `Pull request: #${pullRequestNumber}`;
  return compareUrl === undefined ? '' : `[Open a pull request](${compareUrl}) of it.`;
}

function headingOf({ status, code, delivered }: Outcome): string {
  if (code === 'PLAN_POSTED') return 'Photon made a plan';
  if (code === 'APPROVAL_NEEDED') return 'Photon waits for approval of its plan';
  if (code === 'UNDONE') return 'Photon took a pull request back';
  return status === 'committed' ? deliveries[delivered.kind] : headings[status];
}

/** How the plan is approved; digest and command are Photon's own. */
function approvalLine({ planDigest }: Outcome): string {
  return planDigest === undefined
    ? ''
    : `To have exactly this plan carried out on this commit:\n\n\`\`\`text\n/photon approve ${planDigest}\n\`\`\``;
}

function nextStep({ hint, choices = [] }: Outcome, ask: string): string {
  const answer = choices.length > 0 ? 'number or words' : 'words';
  const next = ask === '' ? ownText(hint) : `answer with \`/photon answer <${answer}>\`.`;
  return next === '' ? '' : `**What to do next:** ${next}`;
}

/** The words of the model that the status itself carries: a reason, or a question with choices. */
function statement(outcome: Outcome): string {
  if (outcome.statement === undefined) return '';
  const choices = (outcome.choices ?? []).map((c, i) => `${i + 1}. ${inlineText(c)}`).join('\n');
  return joinParts([fencedText(outcome.statement, { maxChars: 1200 }), choices]).trimEnd();
}

function failureOutput({ status, verification }: Outcome): string {
  if (status !== 'rolled_back') return '';
  const failing = [verification?.withBaseTests, verification?.after].find(
    run => run !== undefined && run.exitCode !== 0,
  );
  return failing === undefined
    ? ''
    : folded('End of the output', fencedText(failing.outputTail, { maxChars: 6000 }));
}
