/** Outcome ► the one structured comment on the issue or pull request that asked. */
import type { Outcome } from '../outcome.ts';
import { answerParts } from './answer.ts';
import { fencedText, inlineText, ownText, plainParagraph } from './escape.ts';
import {
  decisionsTable,
  fitParts,
  folded,
  joinParts,
  marker,
  planSection,
  stagedSection,
  usageLine,
  verificationTable,
} from './sections.ts';

/** What came of a run, before its sentence. */
const labels = {
  rolled_back: 'Not fixed',
  abstained: 'Not done',
  needs_clarification: 'A question',
  failed: 'Failed',
  no_change: 'Nothing changed',
} as const;

/**
 * What happened, what it rests on, what to do next; the code and the rest are small print behind it.
 * `ask` is the hidden mark by which an answer finds the question; empty where nobody can answer. An
 * answer to a command is its words alone.
 */
export function renderComment(outcome: Outcome, ask = ''): string {
  const { answer, code } = outcome;
  const marks = [marker(outcome.task.id), `<!-- photon:end=${code} -->`];
  if (answer !== undefined) return fitParts(answerParts(answer), marks);
  const question = outcome.status === 'needs_clarification' && code !== 'APPROVAL_NEEDED';
  const open = question ? ask : '';
  const parts = [
    headline(outcome),
    outcome.summary === undefined ? '' : plainParagraph(outcome.summary),
    statement(outcome),
    failureOutput(outcome),
    stagedSection(outcome),
    planSection(outcome),
    approvalLine(outcome),
    verificationTable(outcome.verification),
    nextStep(outcome, open),
    notes(outcome),
    ran(outcome) ? smallPrint(outcome) : '',
  ];
  return fitParts(parts, [open, ...marks].filter(Boolean), { page: outcome.page });
}

/** False for what was answered or refused before anything was loaded: it rests on no law and no ledger. */
function ran({ constitution }: Outcome): boolean {
  return constitution.sha256 !== '';
}

function headline(outcome: Outcome): string {
  const { status, code, message } = outcome;
  if (status === 'committed' && outcome.staged === undefined) return `**${delivery(outcome)}**`;
  if (code === 'UNDONE' || code === 'RECORDS_APPLIED') return plainParagraph(message);
  const said = `**${labelOf(outcome)}: ${plainParagraph(message)}**`;
  if (code === 'PLAN_POSTED' || code === 'APPROVAL_NEEDED') return said;
  const kept =
    outcome.patch.files.length > 0
      ? ` The patch is kept in ${filesOf(outcome)}, not in the repository.`
      : '';
  return `${said} Nothing was written to the repository.${kept}`;
}

function labelOf({ status, code }: Outcome): string {
  if (status === 'committed') return 'Staged';
  return code === 'PLAN_POSTED' || code === 'APPROVAL_NEEDED' ? 'A plan' : labels[status];
}

/** Where the verified patch is now. */
function delivery(outcome: Outcome): string {
  const { kind, operation, pullRequestNumber: number, branch = '', compareUrl } = outcome.delivered;
  switch (kind) {
    case 'pull-request':
      return `Photon ${operation === 'updated' ? 'updated' : 'opened'} pull request #${number}.`;
    case 'branch':
      return `Photon pushed the verified patch to ${inlineText(branch, 200)}: [open a pull request](${compareUrl}).`;
    case 'commit':
      return `Photon pushed a verified commit to pull request #${number}.`;
    case 'suggestions':
      return `Photon suggests a verified change in a review of #${number}.`;
    default:
      return `Photon made a verified patch: \`patch.diff\` in ${filesOf(outcome)}.`;
  }
}

/** The files of the run, linked where there is a page that holds them. */
function filesOf({ page }: Outcome): string {
  return page === undefined ? 'the files of the run' : `[the files of the run](${page})`;
}

function notes(outcome: Outcome): string {
  return outcome.notes
    .slice(0, 20)
    .map(note => `- ${plainParagraph(note, 300)}`)
    .join('\n');
}

/** Code, run and use on one line; what the run stands on is folded away. */
function smallPrint(outcome: Outcome): string {
  const { code, phase, page } = outcome;
  const line = [
    `\`${code}\` in phase ${phase}`,
    page === undefined ? '' : `[run](${page})`,
    usageLine(outcome),
  ];
  const facts = {
    ...{ status: outcome.status, code, phase, runId: outcome.runId, model: outcome.model },
    ...{ base: outcome.base.commit, constitution: outcome.constitution.sha256 },
    ...{ prompt: outcome.prompt.sha256, ledger: outcome.ledger.head },
  };
  const json = fencedText(JSON.stringify(facts, null, 2), { maxChars: 3000, info: 'json' });
  return [
    line.filter(Boolean).join(' · '),
    folded('Decisions', decisionsTable(outcome)),
    folded('What it stands on', json),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** How the plan is approved; digest and command are Photon's own. */
function approvalLine({ planDigest }: Outcome): string {
  return planDigest === undefined
    ? ''
    : `To have exactly this plan carried out on this commit:\n\n\`\`\`text\n/photon approve ${planDigest}\n\`\`\``;
}

function nextStep({ status, hint, choices = [] }: Outcome, ask: string): string {
  if (status === 'committed') return '';
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

/** The end of what the failing tests printed. */
function failureOutput({ status, verification }: Outcome): string {
  if (status !== 'rolled_back') return '';
  const failing = [verification?.withBaseTests, verification?.after].find(
    run => run !== undefined && run.exitCode !== 0,
  );
  if (failing === undefined) return '';
  const lines = failing.outputTail.trimEnd().split('\n').slice(-maxTailLines).join('\n');
  return fencedText(lines, { maxChars: 3000 });
}

const maxTailLines = 25;
