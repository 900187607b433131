/** The texts of a delivery, made from the outcome when it is delivered. */
import { digest } from '../../base/digest.ts';
import type { PatchProof, ProvenLines } from '../../base/findings.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { Settings } from '../../settings/settings.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { fencedText } from '../escape.ts';
import { renderCommitMessage, renderPullRequest } from './pull-request.ts';
import { renderSuggestions, type ShownLines } from './suggestions.ts';

export function deliveryText(
  task: Task,
  { titleTemplate, bodyTemplate }: Pick<Settings, 'titleTemplate' | 'bodyTemplate'>,
) {
  return {
    commitMessage: (outcome: Outcome, coAuthor: string) =>
      renderCommitMessage(task, outcome, coAuthor),
    pullRequest: (
      outcome: Outcome,
      about: { readonly startsNoWorkflow: boolean; readonly startedWorkflow: string },
    ) => renderPullRequest(task, outcome, { ...about, titleTemplate, bodyTemplate }),
    weakSpots,
    suggestions: (
      outcome: Outcome,
      lines: { readonly changes: readonly FileChange[]; readonly shown: ShownLines },
    ) => renderSuggestions(task, outcome, lines),
  };
}

interface LineComment {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly body: string;
  /** The same for the same text of the lines, wherever they are: 16 hexadecimal digits. */
  readonly fingerprint: string;
}

/** The weakest spots first: run by no test, then with a change that no test notices, then run and not decided. */
export function weakSpots(
  { lines, mutants }: PatchProof,
  changes: readonly FileChange[],
): readonly LineComment[] {
  const readLines = (path: string) => {
    const after = changes.find(c => c.path === path)?.after;
    return Buffer.from(after?.bytes ?? [])
      .toString('utf8')
      .split('\n');
  };
  const found: LineComment[] = [];
  const add = ({ path, start, end }: ProvenLines, body: string) => {
    if (found.some(f => f.path === path && f.start <= end && f.end >= start)) return;
    const text = readLines(path)
      .slice(start - 1, end)
      .join('\n');
    const fingerprint = digest(`${path}\0${text}`).slice(0, 16);
    found.push({ path, start, end, body, fingerprint });
  };
  for (const each of lines.filter(l => l.shows === 'unexecuted'))
    add(each, `No test runs ${each.start === each.end ? 'this line' : 'these lines'}.`);
  for (const { path, line, after } of mutants.survived)
    add(
      { path, start: line, end: line },
      `The tests would not notice if this line had this instead:\n\n${fencedText(after, { maxChars: 300 })}`,
    );
  for (const each of lines.filter(l => l.shows === 'executed'))
    add(
      each,
      `A test runs ${each.start === each.end ? 'this line' : 'these lines'}, and noticed no change that was tried here.`,
    );
  return found;
}
