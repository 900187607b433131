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

/** The edit and its source, the suspected lines unless they are shown elsewhere, and the other edits that pass. */
export function repairSection(outcome: Outcome, showsSuspects = true): string {
  const { repair, patch, status } = outcome;
  // an abstention says in its own words what was found
  if (repair !== undefined && patch.files.length === 0 && status !== 'abstained')
    return unfinished(repair, showsSuspects);
  if (repair?.edit === undefined || patch.files.length === 0) return '';
  const { edit, left } = repair;
  const until = left === undefined ? 'all tests passed' : 'some of them passed and no other failed';
  return [
    `The embedded engine ran the tests, ranked the lines that the failing tests executed, and tried small edits there until ${until}. It used no language model. The edit: **${titleMarkdown(edit)}**, ${inlineText(`${edit.path}:${edit.line}`)} (template ${inlineText(edit.template)}: ${ownText(edit.kind)}). Source of this kind of repair: ${ownText(edit.source)}.`,
    `Tried: ${repair.tried} of ${plural(repair.candidates, 'candidate')}, ${repair.perSecond} per second, for ${plural(repair.failing, 'failing test')}.`,
    showsSuspects ? suspectsTable(repair) : '',
    left === undefined ? others(repair) : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** How far the engine was when the run ended. */
function unfinished(repair: Repair, showsSuspects: boolean): string {
  const { tried, candidates, unproven, failures = [] } = repair;
  return [
    `The run ended before the embedded engine had a repair. It had tried ${tried} of ${plural(candidates, 'candidate')}, for ${plural(repair.failing, 'failing test')}.`,
    unproven === undefined
      ? ''
      : `This edit passes all tests. It was not compared with others and not verified: ${shown(unproven)}`,
    failures
      .map(({ test, shown: values }) => `- ${inlineText(test)}: ${inlineText(values)}`)
      .join('\n'),
    showsSuspects ? suspectsTable(repair) : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function suspectsTable({ suspects }: Repair): string {
  if (suspects.length === 0) return '';
  const rows = suspects.slice(0, 8).map(s => [cellText(`${s.path}:${s.line}`), s.score.toFixed(2)]);
  return tableLines(['suspected line', 'Ochiai'], rows).join('\n');
}

function others({ others: count, alternatives, refused = [] }: Repair): string {
  if (count === 0 && refused.length > 0)
    return ['Other edits pass all tests and were refused, such as:', ...refused.map(shown)].join(
      '\n',
    );
  if (count === 0) return 'No other edit that the engine tried passes all tests.';
  const more = count > alternatives.length ? ` The first ${alternatives.length}:` : '';
  return [
    `${plural(count, 'other edit')} also ${count === 1 ? 'passes' : 'pass'} all tests.${more}`,
    ...alternatives.map(shown),
  ].join('\n\n');
}

/** A line of the engine, in which what stands in backticks is code. A single backtick is text. */
function codedLine(line: string): string {
  const parts = line.split('`');
  if (parts.length % 2 === 0) return ownText(line);
  return parts.map((part, i) => (i % 2 === 1 ? inlineText(part) : ownText(part))).join('');
}

const titleMarkdown = (edit: RepairEdit) => codedLine(editTitle(edit));

function shown(edit: RepairEdit): string {
  const { path, line, before, after } = edit;
  const lines = (sign: string, text: string) => text.split('\n').map(l => `${sign}${l}`);
  const diff = [...lines('-', before), ...lines('+', after)].join('\n');
  return `${titleMarkdown(edit)}, ${inlineText(`${path}:${line}`)}:\n\n${fencedText(diff, { maxChars: 900, info: 'diff' })}`;
}
