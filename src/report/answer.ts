/** The answer to a command that starts no run ► Markdown. Pure. */
import type { CommandAnswer } from '../outcome.ts';
import { cellText } from './escape.ts';

/** Heading, lines and table, each a part. */
export function answerParts({ heading, lines, table }: CommandAnswer): readonly string[] {
  return [
    heading === '' ? '' : `### ${heading}`,
    ...lines,
    table === undefined ? '' : renderTable(table),
  ];
}

const maxRows = 100;

function renderTable({ head, rows }: NonNullable<CommandAnswer['table']>): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(head),
    row(head.map(() => '---')),
    ...rows.slice(0, maxRows).map(cells => row(cells.map(cell))),
  ].join('\n');
}

/** `#12` is a reference that Photon means; the rest is shown as code. */
function cell(text: string): string {
  return /^#\d{1,9}$/.test(text) ? text : cellText(text, 200);
}
