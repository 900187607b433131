/** Renders how a run ended, for the terminal. */
import type { Outcome } from '../outcome.ts';

export interface RunPaths {
  readonly patchPath: string;
  readonly outcomePath: string;
  readonly ledgerPath: string;
  readonly sessionPath: string;
}

export function renderRun(outcome: Outcome, files: RunPaths): string {
  const { status, code, message, statement, choices = [], hint, notes } = outcome;
  return [
    `${status} (${code}): ${message}`,
    ...(statement === undefined ? [] : [statement, ...choices.map(c => `  - ${c}`)]),
    ...foundBy(outcome),
    ...(status === 'committed' || hint === '' ? [] : [`What to do: ${hint}`]),
    ...notes.map(note => `note:    ${note}`),
    `patch:   ${files.patchPath}`,
    `outcome: ${files.outcomePath}`,
    `ledger:  ${files.ledgerPath}`,
    `session: ${files.sessionPath}`,
    '',
  ].join('\n');
}

/** One line on how the embedded engine found the patch, and its warnings. */
function foundBy({ repair }: Outcome): readonly string[] {
  if (repair?.edit === undefined) return [];
  const { kind, path, line } = repair.edit;
  const how = `found:   ${kind} at ${path}:${line}, ${repair.tried} candidates tried, ${repair.others} other edits also pass`;
  return [how, ...repair.warnings.map(w => `warning: ${w}`)];
}
