/** Renders the commit message of a task and parses it back, so that an interrupted run can resume. */
import { joinDefined } from '../base/plural.ts';
import { parseJson } from '../base/schema-issue.ts';
import type { TaskEnd } from './state.ts';

interface TaskTrailers {
  readonly workflow: string;
  readonly task: string;
}

export function renderCommit({ workflow, task }: TaskTrailers, end: TaskEnd): string {
  const done = end.status === 'FAILED' ? 'failed; updates the manifest' : 'done';
  return joinDefined([
    `Workflow ${workflow}: ${task} ${end.status === 'NEEDS_REVIEW' ? 'needs review' : done}`,
    '',
    `Photon-Workflow: ${workflow}`,
    `Photon-Task: ${task}`,
    `Photon-Status: ${end.status}`,
    `Photon-Code: ${end.code}`,
    `Photon-Run: ${end.run}`,
    end.proof !== undefined && `Photon-Proof: ${end.proof}`,
    end.ledger !== undefined && `Photon-Ledger: ${end.ledger}`,
    ...(end.flagged ?? []).map(path => `Photon-Flagged: ${JSON.stringify(path)}`),
    '',
  ]);
}

export function renderAlignment(workflow: string): string {
  return `Workflow ${workflow}: update the manifest\n\nPhoton-Workflow: ${workflow}\n`;
}

/** The message of the commit that a task starts from, when its manifest is newer than that of the branch. */
export function renderBase({ workflow, task }: TaskTrailers): string {
  return `Workflow ${workflow}: ${task} runs\n\nPhoton-Workflow: ${workflow}\n`;
}

/** How the task of a commit ended; undefined when the commit belongs to another task. */
export function parseCommit(
  message: string,
  { workflow, task }: TaskTrailers,
): TaskEnd | undefined {
  const value = (key: string) =>
    new RegExp(`^Photon-${key}: (.*)$`, 'm').exec(message)?.[1]?.trim() ?? '';
  if (value('Workflow') !== workflow || value('Task') !== task) return undefined;
  const status = value('Status');
  if (status !== 'COMPLETED' && status !== 'FAILED' && status !== 'NEEDS_REVIEW') return undefined;
  const [proof, ledger] = [value('Proof'), value('Ledger')];
  const flagged = [...message.matchAll(/^Photon-Flagged: (".*")$/gm)].flatMap(m => parsePath(m[1]));
  return {
    status,
    code: value('Code'),
    run: value('Run'),
    proof: proof === '' ? undefined : proof,
    ledger: ledger === '' ? undefined : ledger,
    flagged: flagged.length === 0 ? undefined : flagged,
  };
}

function parsePath(text = ''): readonly string[] {
  const path = parseJson(text);
  return typeof path === 'string' ? [path] : [];
}
