/** Turns an outcome into the one comment on the issue or pull request that the task came from. */
import {
  type CommandAnswer,
  hasPatch,
  isDelivered,
  type Outcome,
  type Phase,
  provenAs,
  type Status,
  showOutput,
  withArticle,
} from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import type { Task } from '../../base/task.ts';
import { agentMarkdown } from '../agent-markdown.ts';
import {
  cellText,
  fencedText,
  inlineText,
  ownParagraph,
  ownText,
  plainParagraph,
  tableLines,
} from '../escape.ts';
import {
  agentsWords,
  decisionsTable,
  failingRun,
  filesLink,
  fitParts,
  foldContent,
  joinParts,
  leftText,
  marker,
  planSection,
  quotedText,
  runLinks,
  stagedSection,
  usageLine,
  verificationTable,
} from '../pull-request/sections.ts';
import { reviewBody } from './review.ts';

/** Label of each status, in front of the message. */
const labels: Partial<Readonly<Record<Status, string>>> = {
  rolled_back: 'Not fixed',
  abstained: 'Not done',
  needs_clarification: 'A question',
  failed: 'Failed',
  no_change: 'Nothing changed',
  answered: 'Answered',
  undone: 'Undone',
  previewed: 'A preview',
};

/**
 * The comment: what happened, the evidence, what to do next, and the details of the run at the end.
 * `ask` is the hidden mark by which Photon finds the question of an answer; empty if nobody can answer.
 * The answer to a command is shown without anything else.
 */
export function renderComment(outcome: Outcome, ask = ''): string {
  const { commandAnswer, code } = outcome;
  const marks = [marker(outcome.task.id), `<!-- photon:end=${code} -->`];
  if (commandAnswer !== undefined) return fitParts(answerParts(commandAnswer), marks);
  const question = outcome.status === 'needs_clarification' && code !== 'APPROVAL_NEEDED';
  const open = question ? ask : '';
  const parts = [
    headline(outcome),
    doneSoFar(outcome),
    agentsWords(outcome, plainParagraph(outcome.summary ?? '')),
    agentsWords(outcome, statement(outcome)),
    outcome.review === undefined ? '' : reviewBody(outcome.review),
    agentsWords(outcome, agentMarkdown(outcome.answer ?? '', outcome)),
    failureOutput(outcome),
    stagedSection(outcome),
    planSection(outcome),
    approvalLine(outcome),
    verificationTable(outcome.verification),
    nextStep(outcome, open),
    notes(outcome),
    ran(outcome) ? smallPrint(outcome) : '',
  ];
  return fitParts(parts, [open, ...marks], { page: outcome.page });
}

/** False if Photon answered or refused before it loaded a constitution: there is no ledger either. */
function ran({ constitution }: Outcome): boolean {
  return constitution.sha256 !== '';
}

function headline(outcome: Outcome): string {
  const { status, code, message } = outcome;
  if (isDelivered(status)) return `**${delivery(outcome)}**`;
  if (code === 'UNDONE' || code === 'RECORDS_APPLIED') return ownParagraph(message);
  const text = message.replace(/ Nothing was written\.$/, '').replace(/(?<![.!?])$/, '.');
  const headline = `**${getLabel(outcome)}: ${ownParagraph(text)}**`;
  if (code === 'PLAN_POSTED' || code === 'APPROVAL_NEEDED') return headline;
  const kept =
    outcome.patch.files.length > 0 ? ` The patch is kept in ${filesLink(outcome.page)}.` : '';
  return `${headline} ${leftText(outcome.left, inlineText)}${kept}`;
}

/** What a run had done when a person stopped it; empty for others. */
function doneSoFar({ code, phase, usage, patch, plan }: Outcome): string {
  if (code !== 'STOPPED_BY_PERSON') return '';
  const files = patch.files.map(f => inlineText(f.path, 200)).join(', ');
  const changed = files === '' ? 'no file was changed' : `changed, and not delivered: ${files}`;
  const scope = plan === undefined ? '' : ' The plan stands below.';
  return `Until then: ${plural(usage.rounds, 'round')}, ${plural(usage.toolCalls, 'tool call')}, up to ${phase}; ${changed}.${scope}`;
}

function getLabel({ status, code }: Outcome): string {
  return code === 'PLAN_POSTED' || code === 'APPROVAL_NEEDED'
    ? 'A plan'
    : (labels[status] ?? status);
}

function delivery(outcome: Outcome): string {
  const { kind, operation, pullRequestNumber: number, branch = '', compareUrl } = outcome.delivered;
  const proven = (thing: string) => provenAs(outcome.verification, thing);
  switch (kind) {
    case 'pull-request':
      return operation === 'none'
        ? `Pull request #${number} already holds the ${proven('patch')}.`
        : `Photon ${operation === 'updated' ? 'updated' : 'opened'} pull request #${number}.`;
    case 'branch':
      return `Photon pushed the ${proven('patch')} to ${inlineText(branch, 200)}: [open a pull request](${compareUrl}).`;
    case 'commit':
      return `Photon pushed ${withArticle(proven('commit'))} to pull request #${number}.`;
    case 'suggestions':
      return `Photon suggested ${withArticle(proven('change'))} in a review of #${number}.`;
    default:
      return `Photon made ${withArticle(proven('patch'))}: \`patch.diff\` in ${filesLink(outcome.page)}.`;
  }
}

function notes(outcome: Outcome): string {
  return outcome.notes
    .slice(0, 20)
    .map(note => `- ${ownParagraph(note, 300)}`)
    .join('\n');
}

/** Code, run and usage on one line, then the folded details. */
function smallPrint(outcome: Outcome): string {
  const { code, phase, page } = outcome;
  const line = [`\`${code}\` in phase ${phase}`, runLinks(page), usageLine(outcome)];
  const facts = {
    status: outcome.status,
    code,
    phase,
    runId: outcome.runId,
    model: outcome.model,
    base: outcome.base.commit,
    constitution: outcome.constitution.sha256,
    prompt: outcome.prompt.sha256,
    ledger: outcome.ledger.head,
  };
  const json = fencedText(JSON.stringify(facts, null, 2), { maxChars: 3000, info: 'json' });
  return [
    line.filter(Boolean).join(' · '),
    foldContent('Decisions', decisionsTable(outcome)),
    foldContent('Run details', json),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function approvalLine({ planDigest }: Outcome): string {
  return planDigest === undefined
    ? ''
    : `To carry out exactly this plan on this commit, comment:\n\n\`\`\`text\n/photon approve ${planDigest}\n\`\`\``;
}

function nextStep({ status, hint, choices = [] }: Outcome, ask: string): string {
  if (hasPatch(status)) return '';
  const answer = choices.length > 0 ? 'number or text' : 'text';
  const next = ask === '' ? ownText(hint) : `answer with \`/photon answer <${answer}>\`.`;
  return next === '' ? '' : `**What to do next:** ${next}`;
}

/** The text of the model that belongs to the status: a reason, or a question with choices. */
function statement(outcome: Outcome): string {
  if (outcome.statement === undefined) return '';
  const choices = (outcome.choices ?? []).map((c, i) => `${i + 1}. ${inlineText(c)}`).join('\n');
  // a question is read from its fence when it is answered
  const text =
    outcome.status === 'needs_clarification'
      ? fencedText(outcome.statement, { maxChars: 1200 })
      : quotedText(outcome.statement);
  return joinParts([text, choices]).trimEnd();
}

/** The failures and the end of the output of the failing tests. */
export function failureOutput(outcome: Outcome): string {
  const failing = failingRun(outcome);
  return failing ? fencedText(showOutput(failing, maxTailLines), { maxChars: 3000 }) : '';
}

const maxTailLines = 25;

/** The answer to a command that starts no run: heading, lines and table, each a part. */
function answerParts({ heading, lines, table }: CommandAnswer): readonly string[] {
  return [
    heading === '' ? '' : `### ${heading}`,
    ...lines,
    table === undefined ? '' : renderTable(table),
  ];
}

const maxAnswerRows = 100;

function renderTable({ head, rows }: NonNullable<CommandAnswer['table']>): string {
  const shown = rows.slice(0, maxAnswerRows).map(cells => cells.map(cell));
  return tableLines(head, shown).join('\n');
}

/** `#12` stays a reference, because Photon wrote it. Everything else is shown as code. */
function cell(text: string): string {
  return /^#\d{1,9}$/.test(text) ? text : cellText(text, 200);
}

const steps: readonly { readonly title: string; readonly phases: readonly Phase[] }[] = [
  { title: 'Plan', phases: ['INPUT', 'PLAN'] },
  { title: 'Find and read the code', phases: ['NAVIGATE', 'READ'] },
  { title: 'Change the code', phases: ['PATCH'] },
  { title: 'Run the tests', phases: ['VERIFY'] },
  { title: 'Deliver', phases: ['COMMIT', 'ROLLBACK'] },
];

/**
 * Finished steps are ticked, and the current one is marked. A run that goes back to an earlier step keeps
 * its ticks. `messages` has lines about what people said to the run. `runUrl` is the page of the workflow run; may be empty.
 */
export function renderProgress(
  task: Task,
  { seen, messages }: { readonly seen: readonly Phase[]; readonly messages: readonly string[] },
  runUrl: string,
): string {
  const now = steps.findIndex(s => s.phases.includes(seen.at(-1) ?? 'INPUT'));
  const furthest = Math.max(0, ...seen.map(p => steps.findIndex(s => s.phases.includes(p))));
  const shown = task.until === undefined ? steps : steps.slice(0, 2);
  const lines = shown.map((step, i) => {
    const done = i !== now && i < furthest + (now === furthest ? 0 : 1);
    return `- [${done ? 'x' : ' '}] ${step.title}${i === now ? ' ← here' : ''}`;
  });
  const link = /^https?:\/\/[^\s<>()[\]]+$/.test(runUrl) ? `[Run log](${runUrl})` : '';
  const people = messages.map(line => `- ${ownParagraph(line, 300)}`).join('\n');
  const title = '### Photon is working on this';
  return joinParts([title, lines.join('\n'), people, link, marker(task.id)]);
}
