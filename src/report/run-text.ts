/** How a run ended ► lines for the terminal. Pure. */
import type { Outcome } from '../outcome.ts';

export interface RunFiles {
  readonly patchPath: string;
  readonly outcomePath: string;
  readonly ledgerPath: string;
  readonly sessionPath: string;
}

export function renderRun(outcome: Outcome, files: RunFiles): string {
  const { status, code, message, statement, choices = [], hint, notes } = outcome;
  return [
    `${status} (${code}): ${message}`,
    ...(statement === undefined ? [] : [statement, ...choices.map(c => `  - ${c}`)]),
    ...(status === 'committed' || hint === '' ? [] : [`What to do: ${hint}`]),
    ...notes.map(note => `note:    ${note}`),
    `patch:   ${files.patchPath}`,
    `outcome: ${files.outcomePath}`,
    `ledger:  ${files.ledgerPath}`,
    `session: ${files.sessionPath}`,
    '',
  ].join('\n');
}
