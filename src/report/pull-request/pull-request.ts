/** Turns an outcome into title and body of a pull request. The only text of the model is its summary, labelled and escaped. */
import type { Outcome, RecordChange } from '../../base/outcome.ts';
import { seconds } from '../../base/plural.ts';
import type { Task } from '../../base/task.ts';
import {
  cellText,
  fencedText,
  inlineText,
  ownText,
  plainParagraph,
  plainTitle,
} from '../escape.ts';
import { titleText } from './commit-message.ts';
import { leftOutDiff, proofLines, proofTable } from './proof-section.ts';
import { repairSection } from './repair-section.ts';
import {
  agentsWords,
  decisionsTable,
  filesTable,
  fitParts,
  folded,
  footer,
  marker,
  maxBodyBytes,
  networkTable,
  planSection,
  runLinks,
  usageLine,
  verificationTable,
  warnings,
} from './sections.ts';
import { type BlockValues, fillBody, fillLine, type LineValues } from './template.ts';

interface PullRequestBody {
  readonly title: string;
  readonly body: string;
  readonly marker: string;
}

/** Templates of the repository, and whether checks start by themselves. */
interface PullRequestAbout {
  /** Templates of the repository; if empty, Photon's own. */
  readonly titleTemplate: string;
  readonly bodyTemplate: string;
  /** True if GITHUB_TOKEN creates it, for which GitHub starts no workflow. */
  readonly startsNoWorkflow: boolean;
  /** Workflow that Photon starts instead; empty for none. */
  readonly startedWorkflow: string;
}

const plain: PullRequestAbout = {
  titleTemplate: '',
  bodyTemplate: '',
  startsNoWorkflow: false,
  startedWorkflow: '',
};

/** Renders the pull request. It shows the ledger as it is before the delivery. */
export function renderPullRequest(
  task: Task,
  outcome: Outcome,
  about: PullRequestAbout = plain,
): PullRequestBody {
  const mark = marker(task.id);
  // shown with any template: reviewers must see which records they accept, and what is missing
  const end = [
    folded('Left out of the patch', leftOutDiff(outcome)),
    recordsSection(outcome),
    folded('Run details', runDetails(outcome)),
    recordsMarker(outcome),
    mark,
  ].filter(part => part !== '');
  const before = [...warnings(outcome), workflowNotice(about)];
  return {
    title: formatTitle(task, outcome, about.titleTemplate),
    body:
      about.bodyTemplate === ''
        ? fitParts([...before, ...ownParts(task, outcome)], end, { page: outcome.page })
        : templateBody({ task, outcome, template: about.bodyTemplate, before, end }),
    marker: mark,
  };
}

/** What the run used, which texts it followed, and what a person should know about it. */
function runDetails(outcome: Outcome): string {
  const notes = outcome.notes.slice(0, 20).map(note => `- ${plainParagraph(note, 1000)}`);
  return [usageLine(outcome), footer(outcome), notes.join('\n')].filter(p => p !== '').join('\n\n');
}

function formatTitle(task: Task, outcome: Outcome, template: string): string {
  const text = titleText(task, outcome);
  const named = task.maintenance !== undefined && outcome.engine !== 'builtin';
  const own = named ? `${task.maintenance}: ${text}` : text;
  const line = { ...lineValues(task, outcome), 'asked-by': '', base: '' };
  return (template === '' ? plainTitle(own, 72) : fillTitle(template, line)) || task.id;
}

/** The template is text of the repository. The values in it are already plain. */
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
    verification: verificationTable(outcome.verification),
    files: filesTable(outcome),
    decisions: folded('Decisions', decisionsTable(outcome)),
    closes: closes(task, outcome),
    undo: undoLine,
  };
}

const undoLine =
  'To undo this change, comment `/photon undo`. Photon closes this pull request and deletes its branch. After a merge, it opens a pull request that reverts the change. To undo it by hand, revert the commit.';

/**
 * GitHub closes the issue when the pull request is merged into the default branch. The embedded engine
 * makes tests pass, but cannot tell whether that is all that the issue asks for.
 */
function closes({ conversation }: Task, { engine }: Outcome): string {
  return conversation?.kind === 'issue' && engine !== 'builtin'
    ? `Fixes #${conversation.number}`
    : '';
}

/** What was wrong and what changed, the proof and the files, then the folded details. */
function ownParts(task: Task, outcome: Outcome): readonly string[] {
  const block = blockValues(task, outcome);
  return [
    agentsWords(outcome, plainParagraph(outcome.summary ?? '')),
    block.verification,
    proofLines(outcome),
    folded('What the tests show of each changed line', proofTable(outcome)),
    block.files,
    [block.closes, ...describeOrigin(task, outcome)].filter(Boolean).join(' · '),
    folded('The task', block.prompt),
    block.plan,
    folded('How it was found', repairSection(outcome)),
    block.decisions,
    folded('Network of the commands', networkTable(outcome)),
    block.undo,
  ];
}

/** Who requested the change, which run made it, and what it took. */
function describeOrigin(task: Task, { page, durationMs, usage }: Outcome): readonly string[] {
  const { conversation, askedBy } = task;
  return [
    conversation === undefined
      ? ''
      : `requested in #${conversation.number} by ${inlineText(askedBy, 60)}`,
    runLinks(page),
    `took ${seconds(durationMs)}`,
    usage.cost === undefined ? '' : `cost ${usage.cost.toFixed(2)}`,
  ];
}

interface TemplateData {
  readonly task: Task;
  readonly outcome: Outcome;
  readonly template: string;
  readonly before: readonly string[];
  readonly end: readonly string[];
}

function templateBody({ task, outcome, template, before, end }: TemplateData): string {
  const { page } = outcome;
  const around = Buffer.byteLength([...before, ...end].join('\n\n')) + 500;
  const filled = fillBody(template, {
    // a body renders entities, a title does not
    line: { ...lineValues(task, outcome), title: ownText(titleText(task, outcome)) },
    block: blockValues(task, outcome),
    page,
    maxBytes: maxBodyBytes - around,
  });
  return fitParts([...before, filled], end, { page });
}

/** Says that no check has run, if GitHub starts none; otherwise empty. */
export function workflowNotice({
  startsNoWorkflow,
  startedWorkflow,
}: Pick<PullRequestAbout, 'startsNoWorkflow' | 'startedWorkflow'>): string {
  if (!startsNoWorkflow) return '';
  const made = 'created with `GITHUB_TOKEN`, so GitHub starts no workflow for it';
  if (startedWorkflow !== '')
    return `This pull request was ${made}. Photon starts ${inlineText(startedWorkflow)} on its branch instead.`;
  return `**No checks have run here.** This pull request was ${made}. Close and reopen it to start them. To start them automatically, give Photon the token of a GitHub App, or set \`dispatch-workflow\` (docs/delivery.md).`;
}

const recordVerbs: Readonly<Record<string, string>> = {
  add: 'New',
  update: 'Changed',
  issue: 'Problem flagged on',
  confirm: 'Verified',
};

/** The hidden mark that binds a pull request to its record changes; empty if none are pending. */
function recordsMarker({ records, runId }: Outcome): string {
  return records?.mode === 'reviewed' ? `<!-- photon:records=${runId}:${records.digest} -->` : '';
}

/** Every record change in full: reviewers must see what they accept. */
function recordsSection({ records }: Outcome): string {
  if (records === undefined) return '';
  const when =
    records.mode === 'reviewed'
      ? 'Photon applies these changes to its long-term records when this pull request is merged, or when someone comments `/photon accept`. Later runs read them as advice.'
      : 'Photon has already applied these changes to its long-term records (`memory: yolo`). Later runs read them as advice.';
  return ['## Records', when, ...records.changes.map(recordText)].join('\n\n');
}

function recordText({ operation, id, kind, title, text, tags, seen }: RecordChange): string {
  const name = [recordVerbs[operation] ?? operation, kind, `\`${id}\``]
    .filter(p => p !== '')
    .join(' ');
  const version = seen === undefined ? '' : ` (version ${seen})`;
  const shownTitle = title === '' ? '' : `: ${inlineText(title)}`;
  const tagged = tags.length === 0 ? '' : ` ${tags.map(t => cellText(t)).join(' ')}`;
  return `${name}${version}${shownTitle}${tagged}\n\n${fencedText(text, { maxChars: 6000 })}`;
}
