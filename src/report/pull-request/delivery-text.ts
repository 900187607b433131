/** The texts of a delivery: commit and pull request, and a patch as suggestions of a review. */
import type { LineSpan } from '../../base/findings.ts';
import { type Outcome, passesTests, provenAs, withArticle } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { Settings } from '../../settings/settings.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { type LineChange, lineChanges, renderDiff } from '../../workspace/text/diff.ts';
import { parseTextFile } from '../../workspace/text/text-file.ts';
import { fencedText, fenceOver, hidesText, holdsCommand } from '../escape.ts';
import { proofLines } from './proof-section.ts';
import { renderCommitMessage, renderPullRequest } from './pull-request.ts';
import {
  filesTable,
  fitParts,
  footer,
  marker,
  usageLine,
  verificationTable,
  warnings,
} from './sections.ts';

export function deliveryText(task: Task, { titleTemplate }: Pick<Settings, 'titleTemplate'>) {
  return {
    commitMessage: (outcome: Outcome, coAuthor: string) =>
      renderCommitMessage(task, outcome, coAuthor),
    pullRequest: (
      outcome: Outcome,
      about: { readonly startsNoWorkflow: boolean; readonly startedWorkflow: string },
    ) => renderPullRequest(task, outcome, { ...about, titleTemplate }),
    suggestions: (outcome: Outcome, patch: PatchOnPull) => renderSuggestions(task, outcome, patch),
  };
}

/** Ranges of new lines that the diff of a file shows, one per hunk. */
type ShownLines = ReadonlyMap<string, readonly (readonly [number, number])[]>;

/** A patch, and the lines that the pull request shows of its files. */
interface PatchOnPull {
  readonly changes: readonly FileChange[];
  readonly shown: ShownLines;
}

interface Suggestion extends LineSpan {
  readonly body: string;
}

/** Maximum suggestions of a review, and characters of each. */
const max = { comments: 40, chars: 20_000 } as const;

/** Renders the review: the edits that can be suggestions, and the text around them. */
export function renderSuggestions(task: Task, outcome: Outcome, { changes, shown }: PatchOnPull) {
  const placed = changes.map(change => placeChange(change, shown.get(change.path) ?? []));
  const comments = placed.flat().length <= max.comments ? placed.flat() : [];
  const rest = changes.filter(({ path }) => comments.every(each => each.path !== path));
  const mark = marker(task.id);
  const parts = [
    `### Photon suggests ${withArticle(provenAs(outcome.verification, 'change'))}`,
    ...warnings(outcome),
    comments.length === 0
      ? 'The change is outside the lines that this pull request shows, so here it is as a patch.'
      : `${passesTests(outcome.verification) ? 'The suggestions were verified together. ' : ''}Add all of them to one batch, then commit the batch.`,
    rest.length > 0 && comments.length > 0
      ? 'The rest of the change is outside the lines that this pull request shows, so it cannot be a suggestion:'
      : '',
    rest.length > 0 ? fencedText(renderDiff(rest), { maxChars: 30_000, info: 'diff' }) : '',
    verificationTable(outcome.verification),
    proofLines(outcome),
    filesTable(outcome),
  ];
  const end = ['---', usageLine(outcome), footer(outcome), mark];
  return { body: fitParts(parts, end, { page: outcome.page }), comments, marker: mark };
}

/** The edits of a file as suggestions; none unless all of them can be. */
function placeChange(
  change: FileChange,
  shown: readonly (readonly [number, number])[],
): readonly Suggestion[] {
  const edits = lineChanges(change) ?? [];
  const file = change.before === undefined ? undefined : parseTextFile(change.before.bytes);
  // a suggestion cannot express how lines end
  if (file === undefined || file === 'binary' || file.terminators.includes('\r\n')) return [];
  const suggestions: Suggestion[] = [];
  for (const edit of edits) {
    const found = placeEdit(edit, file.lines, shown);
    const last = suggestions.at(-1)?.end ?? 0;
    if (found === undefined || found.start <= last || found.body.length > max.chars) return [];
    suggestions.push({ path: change.path, ...found });
  }
  return suggestions;
}

/** The replaced lines, or a line next to the insertion, inside one hunk; undefined if there is no such place. */
function placeEdit(
  { startLine, removed, lines }: LineChange,
  old: readonly string[],
  shown: readonly (readonly [number, number])[],
): Omit<Suggestion, 'path'> | undefined {
  const sees = (from: number, to: number) => shown.some(([a, b]) => a <= from && to <= b);
  const at = (from: number, to: number, text: readonly string[]) =>
    sees(from, to) && isPlain(text.join('\n'))
      ? { start: from, end: to, body: suggestion(text) }
      : undefined;
  if (removed > 0) return at(startLine, startLine + removed - 1, lines);
  const above = old[startLine - 2];
  const below = old[startLine - 1];
  return (
    (above === undefined ? undefined : at(startLine - 1, startLine - 1, [above, ...lines])) ??
    (below === undefined ? undefined : at(startLine, startLine, [...lines, below]))
  );
}

/** A suggestion is shown unescaped, so nothing in it may be hidden, or a command to a bot. */
function isPlain(text: string): boolean {
  return !hidesText(text) && !holdsCommand(text);
}

function suggestion(lines: readonly string[]): string {
  const fence = fenceOver(lines.join('\n'));
  return [`${fence}suggestion`, ...lines, fence].join('\n');
}
