/** Turns an outcome into title and body of a pull request. The only text of the model is its summary, labelled and escaped. */
import { type Placeholder, placeholder } from '../../base/delivery-settings.ts';
import { editTitles } from '../../base/edit-title.ts';
import { type Outcome, passesTests, type RecordChange } from '../../base/outcome.ts';
import { joinDefined, seconds } from '../../base/plural.ts';
import type { Task } from '../../base/task.ts';
import { queueMarker } from '../../memory/queue.ts';
import {
  cellText,
  commandLine,
  fencedText,
  inlineText,
  ownParagraph,
  plainParagraph,
  plainTitle,
} from '../escape.ts';
import { proofLines, proofTable } from './proof-section.ts';
import { repairSection } from './repair-section.ts';
import {
  agentsWords,
  decisionsTable,
  faultTests,
  filesTable,
  fitParts,
  foldContent,
  footer,
  lookLine,
  marker,
  networkTable,
  packagesLine,
  planSection,
  runLinks,
  usageLine,
  verificationTable,
  warnings,
} from './sections.ts';

/** The title of the repository, and whether checks start by themselves. */
interface PullRequestAbout {
  /** Template of the repository; if empty, Photon's own title. */
  readonly titleTemplate: string;
  /** True if GITHUB_TOKEN creates it, for which GitHub starts no workflow. */
  readonly startsNoWorkflow: boolean;
  /** Workflow that Photon starts instead; empty for none. */
  readonly startedWorkflow: string;
}

const plain: PullRequestAbout = {
  titleTemplate: '',
  startsNoWorkflow: false,
  startedWorkflow: '',
};

/** Renders the pull request. It shows the ledger as it is before the delivery. */
export function renderPullRequest(task: Task, outcome: Outcome, about: PullRequestAbout = plain) {
  const mark = marker(task.id);
  // never cut: reviewers must see which records they accept, and what is missing
  const end = [
    foldContent('Tests of the second look', faultTests(outcome)),
    recordsSection(outcome),
    foldContent('Run details', runDetails(outcome)),
    recordsMarker(outcome),
    mark,
  ].filter(part => part !== '');
  const before = [...warnings(outcome), workflowNotice(about)];
  return {
    title: formatTitle(task, outcome, about.titleTemplate),
    body: fitParts([...before, ...ownParts(task, outcome)], end, { page: outcome.page }),
    marker: mark,
  };
}

/** What the run used, which texts it followed, and what a person should know about it. */
function runDetails(outcome: Outcome): string {
  const notes = outcome.notes.slice(0, 20).map(note => `- ${ownParagraph(note, 1000)}`);
  return [
    usageLine(outcome),
    lookLine(outcome),
    packagesLine(outcome),
    footer(outcome),
    notes.join('\n'),
  ]
    .filter(p => p !== '')
    .join('\n\n');
}

function formatTitle(task: Task, outcome: Outcome, template: string): string {
  const text = titleText(task, outcome);
  const named = task.maintenance !== undefined && outcome.engine !== 'builtin';
  const own = named ? `${task.maintenance}: ${text}` : text;
  const title =
    template === '' ? plainTitle(own, 72) : fillTitle(template, lineValues(task, outcome));
  return title || task.id;
}

/** The template is text of the repository. The values in it are already plain. */
function fillTitle(template: string, values: LineValues): string {
  const filled = template.replace(
    placeholder,
    (whole, name: string) => values[name as Placeholder] ?? whole,
  );
  return [...filled.replace(/\s+/g, ' ').trim()].slice(0, 200).join('');
}

type LineValues = Readonly<Record<Placeholder, string>>;

function lineValues(task: Task, outcome: Outcome): LineValues {
  return {
    title: titleText(task, outcome),
    task: task.id,
    run: outcome.runId,
    issue: task.conversation?.number.toString() ?? '',
    maintenance: task.maintenance ?? '',
  };
}

const undoLine =
  'To undo this change, comment `/photon undo`. Photon closes this pull request and deletes its branch. After a merge, press *Revert* on this pull request.';

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
  return [
    agentsWords(outcome, plainParagraph(outcome.summary ?? '')),
    verificationTable(outcome.verification),
    proofLines(outcome),
    foldContent('What the tests show of each changed line', proofTable(outcome)),
    filesTable(outcome),
    [closes(task, outcome), ...describeOrigin(task, outcome)]
      .filter(Boolean)
      .join(' · ')
      .replace(/^[a-z]/, first => first.toUpperCase()),
    foldContent('The task', fencedText(task.prompt, { maxChars: 2000 })),
    planSection(outcome),
    foldContent('How it was found', repairSection(outcome)),
    foldContent('Decisions', decisionsTable(outcome)),
    foldContent('Network of the commands', networkTable(outcome)),
    undoLine,
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

/** Says that no check has run, if GitHub starts none; otherwise empty. */
export function workflowNotice({
  startsNoWorkflow,
  startedWorkflow,
}: Pick<PullRequestAbout, 'startsNoWorkflow' | 'startedWorkflow'>): string {
  if (!startsNoWorkflow) return '';
  const made = 'created with `GITHUB_TOKEN`, so GitHub starts no workflow for it';
  if (startedWorkflow !== '')
    return `This pull request was ${made}. Photon starts ${inlineText(startedWorkflow)} on its branch instead.`;
  return `**No checks have run here.** This pull request was ${made}. Close and reopen it to start them. To start them automatically, give Photon the token of a GitHub App, or set \`delivery.dispatchWorkflow\` (docs/delivery.md).`;
}

const recordVerbs: Readonly<Record<string, string>> = {
  add: 'New',
  update: 'Changed',
  issue: 'Problem flagged on',
  confirm: 'Verified',
};

/** The hidden mark that binds a pull request to its record changes; empty if none are pending. */
function recordsMarker({ records, runId }: Outcome): string {
  return records?.mode === 'reviewed' ? queueMarker(runId, records.digest) : '';
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

const titleBytes = 72;

/** A task on one plain line that pings nobody and closes nothing: its first sentence if that fits. */
function taskTitle(task: Task, { base, summary, plan }: Outcome): string {
  const { headBranch: head, trigger } = task;
  if (base.merged !== undefined && head !== undefined)
    return plainTitle(`Merge branch '${head.base}' into ${head.ref}`, titleBytes);
  // the words of such a task are Photon's own, and the same each time
  const own = trigger === 'failed-workflow' ? (summary ?? plan?.scope) : undefined;
  const line = own ?? task.title ?? task.prompt.split('\n')[0] ?? '';
  const sentence = /^.{15,70}?(?=[.!?]\s+\p{Lu})/u.exec(line.trim())?.[0];
  return plainTitle(sentence ?? line, titleBytes) || task.id;
}

/**
 * The text of a title: the task. The embedded engine does not read the task, so its title says what it
 * changed, such as `Round up in paidHours`.
 */
function titleText(task: Task, outcome: Outcome): string {
  const edit = outcome.engine === 'builtin' ? outcome.repair?.edit : undefined;
  if (edit === undefined) return taskTitle(task, outcome);
  // a title that would lose a sign would say something else
  const isWhole = (title: string) => plainTitle(title, 200) === title.replaceAll('`', '');
  const titles = editTitles(edit).filter(isWhole);
  const short = titles
    .map(title => plainTitle(title, 200))
    .find(title => Buffer.byteLength(title) <= titleBytes);
  return short ?? 'Fix failing tests';
}

/**
 * The commit message. Photon recognises its own commits by the trailers: task, run, tree and
 * head of the ledger. `coAuthor` is the trailer that names the requester; empty to name nobody.
 */
export function renderCommitMessage(task: Task, outcome: Outcome, coAuthor = ''): string {
  return joinDefined([
    titleText(task, outcome),
    '',
    proofLine(outcome.verification),
    '',
    `Photon-Task: ${task.id}`,
    `Photon-Run: ${outcome.runId}`,
    `Photon-Tree: ${outcome.patch.tree}`,
    `Photon-Ledger: ${outcome.ledger.head}`,
    coAuthor !== '' && coAuthor,
    '',
  ]);
}

function proofLine(verification: Outcome['verification']): string {
  if (!verification?.passed || verification.after === undefined) return 'Not verified.';
  const command = commandLine(verification.after.command);
  return passesTests(verification)
    ? `Verified by: ${command}`
    : `Not verified: ${command} fails, as it does without the patch.`;
}
