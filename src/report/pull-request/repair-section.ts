/** Renders how the embedded engine found its patch, for the pull request and the summary. */
import { editTitle } from '../../base/edit-title.ts';
import type { Outcome, Repair, RepairEdit } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { cellText, fencedText, inlineText, ownText, tableLines } from '../escape.ts';

/** What a reviewer must know about a patch that was found by trial. */
export function repairWarnings({ repair, patch }: Outcome): readonly string[] {
  if (repair === undefined || patch.files.length === 0) return [];
  return repair.warnings.map(w => `**Check this repair**: ${codedLine(w)}`);
}

/** How the edit was found, and the suspected lines; or the edits that the tests do not tell apart. */
export function repairSection(outcome: Outcome): string {
  const { repair, patch, status } = outcome;
  if (repair === undefined) return '';
  if (patch.files.length === 0)
    return status === 'abstained' ? describeUndecided(repair) : describeProgress(repair);
  const { edit } = repair;
  if (edit === undefined) return '';
  return joinParts([
    `The embedded engine ran the tests, and tried small edits of the lines that the failing tests ran until all tests passed. It used no language model. The edit: **${titleMarkdown(edit)}**, ${inlineText(`${edit.path}:${edit.line}`)}, ${ownText(edit.kind)}.`,
    `Tried: ${repair.tried} of ${plural(repair.candidates, 'edit')}, for ${plural(repair.failing, 'failing test')}. No other one that was tried passes all tests.`,
    suspectsTable(repair),
  ]);
}

const joinParts = (parts: readonly string[]) => parts.filter(Boolean).join('\n\n');

/** The edits of which the tests do not say which one is right. */
function describeUndecided({ alternatives }: Repair): string {
  if (alternatives.length === 0) return '';
  return [
    'Each of these edits passes all tests, so none was delivered:',
    ...alternatives.map(showEdit),
  ].join('\n\n');
}

/** What the engine knew when the run ended in its search. */
function describeProgress(repair: Repair): string {
  const { failures = [] } = repair;
  return joinParts([
    `The run ended before the embedded engine had a repair for ${plural(repair.failing, 'failing test')}.`,
    failures
      .map(({ test, shown: values }) => `- ${inlineText(test)}: ${inlineText(values)}`)
      .join('\n'),
    suspectsTable(repair),
  ]);
}

function suspectsTable({ suspects }: Repair): string {
  if (suspects.length === 0) return '';
  const rows = suspects.slice(0, 8).map(s => [cellText(`${s.path}:${s.line}`), s.score.toFixed(2)]);
  return tableLines(['suspected line', 'suspicion'], rows).join('\n');
}

/** A line of the engine, in which what stands in backticks is code. A single backtick is text. */
function codedLine(line: string): string {
  const parts = line.split('`');
  if (parts.length % 2 === 0) return ownText(line);
  return parts.map((part, i) => (i % 2 === 1 ? inlineText(part) : ownText(part))).join('');
}

const titleMarkdown = (edit: RepairEdit) => codedLine(editTitle(edit));

function showEdit(edit: RepairEdit): string {
  const { path, line, before, after } = edit;
  const lines = (sign: string, text: string) => text.split('\n').map(l => `${sign}${l}`);
  const diff = [...lines('-', before), ...lines('+', after)].join('\n');
  return `${titleMarkdown(edit)}, ${inlineText(`${path}:${line}`)}:\n\n${fencedText(diff, { maxChars: 900, info: 'diff' })}`;
}
