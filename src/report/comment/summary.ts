/** Renders outcomes as the job summary. */
import { hasPatch, type Outcome } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { agentMarkdown } from '../agent-markdown.ts';
import { cellText, fencedText, inlineText, ownParagraph, ownText, tableLines } from '../escape.ts';
import type { IndexedRun } from '../page/index-page.ts';
import { renderRunPage } from '../page/run-page.ts';
import { proofLines } from '../pull-request/proof-section.ts';
import { repairSection } from '../pull-request/repair-section.ts';
import {
  agentsWords,
  decisionsTable,
  faultTests,
  filesTable,
  fitParts,
  foldContent,
  footer,
  joinParts,
  leftText,
  lookLine,
  networkTable,
  planSection,
  quotedText,
  stagedSection,
  usageLine,
  verificationTable,
  warnings,
} from '../pull-request/sections.ts';
import { failureOutput } from './comment.ts';

/** GitHub drops a summary of more than 1 MiB. */
const maxBytes = 1_000_000;

/** The part of a row's outcome that the summary shows. */
type GatheredRow = IndexedRun['outcome'] & { readonly message: string };

/** The result of a fleet: one line for each row. */
export function renderGathering(rows: readonly GatheredRow[], unreadable: number): string {
  const lines = rows.map(row => {
    const { cost, inputTokens, outputTokens } = row.usage;
    const spent = cost === undefined ? `${inputTokens + outputTokens} tokens` : cost.toFixed(4);
    const pull = row.delivered.pullRequestUrl ?? '';
    const repository = cellText(row.repository);
    const [code, message] = [cellText(row.code), cellText(row.message, 160)] as const;
    const id = cellText(row.task.id);
    return [id, repository, row.status, code, cellText(pull, 200), spent, message];
  });
  const head = ['row', 'repository', 'ended', 'code', 'pull request', 'cost', 'what happened'];
  return joinParts([
    `## Photon fleet: ${rows.length} rows`,
    unreadable === 0
      ? ''
      : `**${plural(unreadable, 'file')} left out, for want of a valid outcome.**`,
    tableLines(head, lines).join('\n'),
  ]);
}

/** One section per run, in the order in which people read: result, pull request, task, tests, what weakens, and the rest. */
export function renderSummary(
  runs: readonly { readonly outcome: Outcome; readonly diff: string }[],
): string {
  const each = Math.floor(maxBytes / Math.max(1, runs.length)) - 10;
  return runs.map(({ outcome, diff }) => renderRun(outcome, diff, each)).join('\n---\n\n');
}

function renderRun(outcome: Outcome, diff: string, max: number): string {
  const { sandbox } = outcome;
  const { guarantees, setUpNetwork } = sandbox;
  const walls = guarantees.map(g => `${g.name} ${g.holds ? 'holds' : '**missing**'}`).join(', ');
  const setUp =
    setUpNetwork === undefined ? '' : ` The set-up received ${setUpNetwork.join(', ')}.`;
  const isPatch = outcome.patch.files.length > 0;
  const parts = [
    `## Photon: ${outcome.status} (\`${outcome.code}\`)`,
    pullLine(outcome),
    outcome.task.text === undefined ? '' : `Asked:\n\n${quotedText(outcome.task.text)}`,
    ownParagraph(outcome.message),
    outcome.left === undefined ? '' : leftText(outcome.left, inlineText),
    outcome.statement === undefined ? '' : agentsWords(outcome, quotedText(outcome.statement)),
    agentsWords(outcome, agentMarkdown(outcome.answer ?? '', outcome)),
    hasPatch(outcome.status) || outcome.hint === ''
      ? ''
      : `**What to do next:** ${ownText(outcome.hint)}`,
    failureOutput(outcome),
    verificationTable(outcome.verification),
    ...warnings(outcome).filter(() => isPatch),
    stagedSection(outcome),
    planSection(outcome),
    // an engine that ended without a patch shows what it found
    isPatch ? '' : repairSection(outcome),
    proofLines(outcome),
    lookLine(outcome),
    foldContent('Tests of the second look', faultTests(outcome)),
    filesTable(outcome),
    foldContent('Patch', diffBlock(diff, max)),
    foldContent('How the edit was found', isPatch ? repairSection(outcome) : ''),
    decisionsTable(outcome),
    foldContent('Network of the commands', networkTable(outcome)),
    walls === '' ? '' : `Sandbox: ${sandbox.launcher}; ${walls}.${setUp}`,
    ...outcome.notes.map(n => `- ${inlineText(n, 400)}`),
  ];
  const page = 'The report of this run is `report.html` among its files.';
  return fitParts(parts, [usageLine(outcome), footer(outcome), page], { maxBytes: max });
}

/** Where the pull request of a run is; empty without one. */
function pullLine({ delivered }: Outcome): string {
  const { pullRequestUrl: url, pullRequestNumber, branch = '' } = delivered;
  if (url === undefined) return '';
  return `**[Pull request #${pullRequestNumber}](<${encodeURI(url)}>)** from branch ${inlineText(branch)}`;
}

/** A diff, of which a long one loses its middle. */
function diffBlock(diff: string, max: number): string {
  const maxChars = Math.max(1000, Math.floor(max / 5));
  return diff === '' ? '' : fencedText(diff, { maxChars, info: 'diff' });
}

/** What each run leaves for people: the summary as Markdown, and a page. */
export const runRenderers = { summary: renderSummary, page: renderRunPage };
