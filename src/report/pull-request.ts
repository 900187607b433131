/** Outcome ► title and body of a pull request. Of the model's words only its summary, escaped. */
import type { Outcome } from '../outcome.ts';
import type { Task } from '../task.ts';
import { titleText } from './commit-message.ts';
import { fencedText, inlineText, ownText, plainParagraph, plainTitle } from './escape.ts';
import { recordsMarker, recordsSection } from './records-section.ts';
import { repairSection } from './repair-section.ts';
import {
  decisionsTable,
  filesTable,
  fitParts,
  folded,
  footer,
  marker,
  maxBodyBytes,
  planSection,
  usageLine,
  verificationTable,
  warnings,
} from './sections.ts';
import { type BlockValues, fillBody, fillLine, type LineValues } from './template.ts';

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
  readonly marker: string;
}

/** What else a pull request says, and in whose words. */
export interface PullRequestAbout {
  /** Templates of the repository; empty takes Photon's own. */
  readonly titleTemplate: string;
  readonly bodyTemplate: string;
  /** True when it is made with GITHUB_TOKEN, for which GitHub starts no workflow. */
  readonly startsNoWorkflow: boolean;
  /** Workflow that Photon starts instead; empty for none. */
  readonly startedWorkflow: string;
}

const plain: PullRequestAbout = {
  ...{ titleTemplate: '', bodyTemplate: '', startsNoWorkflow: false, startedWorkflow: '' },
};

/** What the ledger knows when the text is made is its state before delivery. */
export function renderPullRequest(
  task: Task,
  outcome: Outcome,
  about: PullRequestAbout = plain,
): PullRequestText {
  const mark = marker(task.id);
  // record changes are shown whatever the template, since what is accepted must have been seen
  const end = [
    ...[
      recordsSection(outcome),
      folded('What it stands on', `${usageLine(outcome)}\n\n${footer(outcome)}`),
    ],
    ...[recordsMarker(outcome), mark].filter(m => m !== ''),
  ];
  const before = [...warnings(outcome), workflowNotice(about)];
  return {
    title: titleOf(task, outcome, about.titleTemplate),
    body:
      about.bodyTemplate === ''
        ? fitParts([...before, ...ownParts(task, outcome)], end, { page: outcome.page })
        : templateBody({ task, outcome, template: about.bodyTemplate, before, end }),
    marker: mark,
  };
}

function titleOf(task: Task, outcome: Outcome, template: string): string {
  const words = titleText(task, outcome);
  const named = task.maintenance !== undefined && outcome.engine !== 'builtin';
  const own = named ? `${task.maintenance}: ${words}` : words;
  const line = { ...lineValues(task, outcome), 'asked-by': '', base: '' };
  return (template === '' ? plainTitle(own, 72) : fillTitle(template, line)) || task.id;
}

/** The template is the repository's own words; what is filled in is plain already. */
function fillTitle(template: string, line: LineValues): string {
  return [...fillLine(template, line).replace(/\s+/g, ' ').trim()].slice(0, 200).join('');
}

function lineValues(task: Task, outcome: Outcome): LineValues {
  return {
    title: titleText(task, outcome),
    task: task.id,
    run: outcome.runId,
    issue: task.conversation?.number.toString() ?? '',
    'asked-by': inlineText(task.askedBy, 60),
    base: inlineText(task.baseRef, 200),
    maintenance: task.maintenance ?? '',
  };
}

function blockValues(task: Task, outcome: Outcome): BlockValues {
  return {
    prompt: fencedText(task.prompt, { maxChars: 2000 }),
    plan: planSection(outcome),
    verification: verificationTable(outcome.verification) || 'None.',
    files: filesTable(outcome),
    decisions: folded('Decisions', decisionsTable(outcome)),
    closes: closes(task, outcome),
    undo: undoLine,
  };
}

const undoLine =
  'To undo it, comment `/photon undo` here: it is closed and its branch deleted, or after a merge the reverting pull request is opened. By hand: revert the one commit.';

/**
 * GitHub closes the issue on a merge into the default branch; nothing else closes anything. The embedded
 * engine makes tests pass, and cannot tell whether that is all that the issue asks for.
 */
function closes({ conversation }: Task, { engine }: Outcome): string {
  return conversation?.kind === 'issue' && engine !== 'builtin'
    ? `Fixes #${conversation.number}`
    : '';
}

/** What was wrong and what changed, the proof, the files; what it stands on is folded away. */
function ownParts(task: Task, outcome: Outcome): readonly string[] {
  const block = blockValues(task, outcome);
  return [
    outcome.summary === undefined ? '' : plainParagraph(outcome.summary),
    block.verification,
    block.files,
    [block.closes, ...whence(task, outcome)].filter(Boolean).join(' · '),
    folded('The task', block.prompt),
    block.plan,
    folded('How it was found', repairSection(outcome)),
    block.decisions,
    block.undo,
  ];
}

/** Who asked, which run answered, and what it took. */
function whence(task: Task, { page, durationMs, usage }: Outcome): readonly string[] {
  const { conversation, askedBy } = task;
  return [
    conversation === undefined
      ? ''
      : `asked for in #${conversation.number} by ${inlineText(askedBy, 60)}`,
    page === undefined ? '' : `[run](${page})`,
    `${Math.max(1, Math.round(durationMs / 1000))} s`,
    usage.cost === undefined ? '' : `cost ${usage.cost.toFixed(2)}`,
  ];
}

interface Templated {
  readonly task: Task;
  readonly outcome: Outcome;
  readonly template: string;
  readonly before: readonly string[];
  readonly end: readonly string[];
}

function templateBody({ task, outcome, template, before, end }: Templated): string {
  const { page } = outcome;
  const around = Buffer.byteLength([...before, ...end].join('\n\n')) + 500;
  const filled = fillBody(template, {
    // in a body a character can come out of an entity, which a title knows nothing of
    line: { ...lineValues(task, outcome), title: ownText(titleText(task, outcome)) },
    ...{ block: blockValues(task, outcome), page },
    maxBytes: maxBodyBytes - around,
  });
  return fitParts([...before, filled], end, { page });
}

/** Says that no check has run, where GitHub starts none; empty elsewhere. */
export function workflowNotice({
  startsNoWorkflow,
  startedWorkflow,
}: Pick<PullRequestAbout, 'startsNoWorkflow' | 'startedWorkflow'>): string {
  if (!startsNoWorkflow) return '';
  const made = 'This was made with `GITHUB_TOKEN`, for which GitHub starts no workflow by itself';
  if (startedWorkflow !== '')
    return `${made}; Photon starts ${inlineText(startedWorkflow)} on its branch instead.`;
  return `**No checks have run here**: ${made[0]?.toLowerCase()}${made.slice(1)}. Close it and open it again to start them. To have them always, give Photon the token of a GitHub App, or set \`dispatch-workflow\` (docs/delivery.md).`;
}
