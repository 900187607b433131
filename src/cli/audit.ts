/** `photon audit`: judges a ledger; the head is the one given, or that of the outcome beside it. */
import { dirname, join } from 'node:path';
import { auditLedger } from '../audit/audit.ts';
import { PhotonError } from '../codes.ts';
import { parseConstitution } from '../guard/constitution.ts';
import { renderAudit } from '../report/audit-text.ts';
import { readNamedFile } from '../workspace/files/read-foreign.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { parseArguments } from './arguments.ts';
import type { CommandHandler } from './terminal.ts';

export const audit: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['head']);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new PhotonError('USAGE', 'Give one ledger: photon audit FILE.');
  const text = readNamedFile(file);
  if (text === null) throw new PhotonError('LEDGER_MISSING', `There is no ${file}.`);
  const outcome = readNamedFile(join(dirname(file), 'outcome.json'));
  const head = String(values.head ?? (outcome === null ? '' : headOf(outcome)));
  const shipped = parseConstitution(
    openShipped(terminal.root).constitution,
    'constitution/photon.md',
  );
  const report = auditLedger(text, { shipped, complete: true, ...(head === '' ? {} : { head }) });
  terminal.print(renderAudit(report, head));
  return report.finding === null ? 0 : 1;
};

/** Hash that an outcome names; empty when it is no outcome. */
function headOf(outcome: string): string {
  try {
    const { ledger } = JSON.parse(outcome) as { ledger?: { head?: unknown } };
    return typeof ledger?.head === 'string' ? ledger.head : '';
  } catch {
    return '';
  }
}
