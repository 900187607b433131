/** Renders how the embedded engine found its patch, for the pull request and the summary. */
import type { Outcome, Repair, RepairEdit } from '../../base/outcome.ts';
import { cellText, fencedText, inlineText, ownText } from '../escape.ts';

/** What a reviewer must know about a patch that was found by trial. */
export function repairWarnings({ repair, patch }: Outcome): readonly string[] {
  if (repair === undefined || patch.files.length === 0) return [];
  return repair.warnings.map(w => `**Check this repair**: ${ownText(w)}`);
}

/** The edit and its source, the suspected lines unless they are shown elsewhere, and the other edits that pass. */
export function repairSection({ repair, patch }: Outcome, showsSuspects = true): string {
  if (repair?.edit === undefined || patch.files.length === 0) return '';
  const { edit } = repair;
  return [
    `The embedded engine ran the tests, ranked the lines that the failing tests executed, and tried small edits there until all tests passed. It used no language model. The edit: **${ownText(edit.kind)}** (template ${inlineText(edit.template)}) in ${inlineText(`${edit.path}:${edit.line}`)}. Source of this kind of repair: ${ownText(edit.source)}.`,
    `Tried: ${repair.tried} of ${repair.candidates} candidates, ${repair.perSecond} per second, for ${repair.failing} failing tests.`,
    showsSuspects ? suspectsTable(repair) : '',
    others(repair),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

function suspectsTable({ suspects }: Repair): string {
  if (suspects.length === 0) return '';
  const rows = suspects
    .slice(0, 8)
    .map(s => `| ${cellText(`${s.path}:${s.line}`)} | ${s.score.toFixed(2)} |`);
  return ['| suspected line | Ochiai |', '|---|---|', ...rows].join('\n');
}

function others({ others: count, alternatives }: Repair): string {
  if (count === 0) return 'No other edit that the engine tried passes all tests.';
  const more = count > alternatives.length ? ` The first ${alternatives.length}:` : '';
  return [`${count} other edits also pass all tests.${more}`, ...alternatives.map(shown)].join(
    '\n\n',
  );
}

function shown({ kind, path, line, before, after }: RepairEdit): string {
  const lines = (sign: string, text: string) => text.split('\n').map(l => `${sign}${l}`);
  const diff = [...lines('-', before), ...lines('+', after)].join('\n');
  return `${ownText(kind)} in ${inlineText(`${path}:${line}`)}:\n\n${fencedText(diff, { maxChars: 900, info: 'diff' })}`;
}
