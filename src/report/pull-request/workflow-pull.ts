/** Turns the state of a workflow and its outcomes into title and body of its pull request. */
import { codes } from '../../base/codes.ts';
import type { Outcome } from '../../base/outcome.ts';
import { listFirst } from '../../base/plural.ts';
import { cellText, inlineText, ownText, tableLines } from '../escape.ts';
import { renderWait, type TaskLine } from '../terminal/workflow-text.ts';
import { workflowNotice } from './pull-request.ts';
import {
  decisionsTable,
  filesTable,
  fitParts,
  foldContent,
  footer,
  joinParts,
  marker,
  noSandbox,
  usageLine,
  verificationTable,
} from './sections.ts';

export interface PulledTask extends TaskLine {
  readonly outputs: readonly { readonly description: string; readonly path: string }[];
  readonly proof?: string | undefined;
  readonly ledger?: string | undefined;
  readonly flagged?: readonly string[] | undefined;
  /** How its run ended, if this job ran it. */
  readonly outcome?: Outcome;
}

interface WorkflowPullText {
  readonly workflow: string;
  readonly tasks: readonly PulledTask[];
  /** The task that the pull request is for; if absent, all of them. */
  readonly only?: string;
  readonly startsNoWorkflow: boolean;
  readonly startedWorkflow: string;
  readonly page?: string | undefined;
}

/** The proof of a task whose patch was not verified. */
export const unproven = 'nothing';
/** The proof of a task whose test command shows no test case. */
export const unjudged = 'no test case';

/** Ends the proof of a task whose commands ran without a sandbox. */
export const withoutSandbox = ', without a sandbox';

/** True for a task whose commands ran without a sandbox. Its pull request is a draft. */
export function hadNoSandbox({ proof }: Pick<PulledTask, 'proof'>): boolean {
  return proof?.endsWith(withoutSandbox) === true;
}

/** Title and body. The first line says what was not verified. */
export function renderWorkflowPull(text: WorkflowPullText): { title: string; body: string } {
  const { workflow, tasks, only, page } = text;
  const shown = only === undefined ? tasks : tasks.filter(t => t.id === only);
  const name = only === undefined ? workflow : `${workflow}: ${only}`;
  const last = shown.findLast(t => t.outcome !== undefined)?.outcome;
  const end = [last === undefined ? '' : footer(last), marker(`workflow-${workflow}`)];
  const parts = [
    ...notices(shown),
    workflowNotice(text),
    only === undefined ? '' : `This is one task of the workflow ${inlineText(workflow, 63)}.`,
    taskTable(shown),
    ...nextSteps(shown),
    ...shown.map(t => foldContent(`Task ${inlineText(t.id, 63)}`, renderDetail(t))),
  ];
  return { title: `Workflow ${name}`, body: fitParts(parts, end, { page }) };
}

/** The same for the summary of a job. */
export function renderWorkflowSummary(workflow: string, tasks: readonly PulledTask[]): string {
  const title = `## Photon: workflow ${inlineText(workflow, 63)}`;
  return joinParts([title, ...notices(tasks), taskTable(tasks), ...nextSteps(tasks)]);
}

function notices(tasks: readonly PulledTask[]): readonly string[] {
  const listIds = (some: readonly PulledTask[]) => some.map(t => inlineText(t.id, 63)).join(', ');
  const formatProof = ({ proof = '' }: PulledTask) => proof.replace(withoutSandbox, '');
  const bare = tasks.filter(t => formatProof(t) === unproven);
  const unseen = tasks.filter(t => formatProof(t) === unjudged);
  const open = tasks.filter(hadNoSandbox);
  const flagged = tasks.flatMap(t => t.flagged ?? []);
  return [
    open.length === 0 ? '' : `${noSandbox} This is so for ${listIds(open)}.`,
    unseen.length === 0
      ? ''
      : `**No test case judged the patch** of ${listIds(unseen)}: the test command shows none.`,
    bare.length === 0
      ? ''
      : `**Nothing was verified** for ${listIds(bare)}: the workflow turns verification off.`,
    flagged.length === 0
      ? ''
      : `**Review these files first**: ${listFirst(flagged, p => inlineText(p), { most: 20 })}.`,
  ];
}

function taskTable(tasks: readonly PulledTask[]): string {
  const rows = tasks.map(task => {
    const { id, status, code = '', proof = '', commit = '', run = '', ledger = '' } = task;
    const outputs = task.outputs.map(o => o.path).join(', ');
    const cells = [id, status, code, outputs, proof, commit.slice(0, 12), run, ledger.slice(0, 64)];
    return cells.map(c => cellText(c));
  });
  const head = ['task', 'status', 'ended', 'artifacts', 'proved by', 'commit', 'run', 'ledger'];
  return tableLines(head, rows).join('\n');
}

function nextSteps(tasks: readonly PulledTask[]): readonly string[] {
  const lines: string[] = [];
  for (const { id, status, code, wait } of tasks) {
    const name = inlineText(id, 63);
    if (wait !== undefined) {
      const review =
        'a person with write access must approve or merge this pull request, then run the workflow again';
      lines.push(`- ${name} ${renderWait(wait, { quote: text => inlineText(text), review })}.`);
    }
    if (status !== 'FAILED') continue;
    const known = Object.hasOwn(codes, code ?? '') ? codes[code as keyof typeof codes] : undefined;
    lines.push(
      `- ${name} failed: ${known === undefined ? inlineText(code ?? '') : `${ownText(known.meaning)} ${ownText(known.hint)}`} Run the workflow again to continue from this task.`,
    );
  }
  return lines.length === 0 ? [] : ['**What to do next**', lines.join('\n')];
}

function renderDetail({ outcome }: PulledTask): string {
  if (outcome === undefined) return '';
  const parts = [verificationTable(outcome.verification), filesTable(outcome)];
  const rest = [
    foldContent('Decisions', decisionsTable(outcome)),
    usageLine(outcome),
    footer(outcome),
  ];
  return joinParts([...parts, ...rest]).trimEnd();
}
