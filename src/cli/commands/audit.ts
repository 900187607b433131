/** `photon audit`: judges a ledger again. The expected head is `--head`, or that of the outcome next to it. */
import { dirname, join } from 'node:path';
import { type AuditReport, auditLedger } from '../../audit/audit.ts';
import { listUnbacked, listUnstated, parseOutcome, unsigned } from '../../audit/verify-run.ts';
import { codes, PhotonError } from '../../base/codes.ts';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { parseConstitution } from '../../guard/policy/parse-constitution.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { openShipped, type ShippedAssets } from '../../workspace/trusted/shipped.ts';
import { type Arguments, command, value } from '../command.ts';
import { findRunPath } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  head: value('<hash>', 'Expected head of the ledger (default: that of outcome.json next to it)'),
};

export const audit = command({
  options,
  usage: [['<ledger.jsonl|run> [flags]', 'A file, or a kept run by its id or as last', auditFile]],
  examples: ['photon audit ledger.jsonl', 'photon audit last'],
});

async function auditFile(
  { values, names: [named = ''] }: Arguments<typeof options>,
  terminal: Terminal,
) {
  const file = await findRunPath(named, terminal, { file: 'ledger.jsonl' });
  const text = readNamedFile(file);
  if (text === undefined) throw new PhotonError('LEDGER_MISSING', `There is no ${file}.`);
  if (!/^\{[^\n]*"seq":/.test(text))
    throw new PhotonError('LEDGER_UNREADABLE', `${file} is not the ledger of a run.`, {
      hint: 'Name the ledger.jsonl of a run, or a run that is kept here: photon audit last.',
    });
  const beside = (name: string) => readNamedFile(join(dirname(file), name));
  const { report, head } = judgeLedger(
    {
      ledger: text,
      outcome: beside('outcome.json'),
      statement: beside('statement.json'),
      patch: beside('patch.diff'),
      head: values.head,
    },
    openShipped(terminal.root),
  );
  terminal.print(renderAudit(report, head));
  return report.finding === undefined ? 0 : 1;
}

/** A ledger, and what it is compared with. */
interface LedgerToJudge {
  readonly ledger: string;
  /** Text of the outcome next to it; its head is the expected one unless `head` is set. */
  readonly outcome: string | undefined;
  readonly statement?: string | undefined;
  readonly patch?: string | undefined;
  readonly head?: string;
}

/** Judges a ledger again. The expected head is empty when nothing names one. */
export function judgeLedger(
  { head = '', ...run }: LedgerToJudge,
  { constitution }: ShippedAssets,
): { readonly report: AuditReport; readonly head: string } {
  const shipped = parseConstitution(constitution, 'constitution/photon.md');
  const expected = head || readHead(run.outcome ?? '');
  const report = auditLedger(run.ledger, {
    shipped,
    complete: true,
    head: expected === '' ? undefined : expected,
  });
  const finding = report.finding ?? compareOutcome(run, report.entries);
  return { report: { ...report, finding }, head: expected };
}

/** What outcome and statement say that a valid ledger does not back. */
function compareOutcome(
  { ledger, outcome, statement, patch }: LedgerToJudge,
  seq: number,
): AuditReport['finding'] {
  if (outcome === undefined) return undefined;
  const stated = parseOutcome(outcome);
  const unstated = statement === undefined ? [] : listUnstated(stated, statement, patch);
  const differences = [
    ...listUnbacked(stated, ledger),
    ...unstated.map(found => `statement: ${found}`),
  ];
  return differences.length === 0
    ? undefined
    : { seq, code: 'LEDGER_OUTCOME', message: differences.join('; ') };
}

/** The head that an outcome names; empty if the text is not an outcome. */
function readHead(outcome: string): string {
  const { head } = asObject(asObject(parseJson(outcome)).ledger);
  return typeof head === 'string' ? head : '';
}

/** `head` is the expected head; may be empty. */
function renderAudit(report: AuditReport, head: string): string {
  const { finding } = report;
  const counts = Object.entries(report.decisions).map(([name, n]) => `${n} ${name}`);
  const compared = head === '' ? ' (not compared: no --head and no outcome.json)' : '';
  const verdict =
    finding === undefined
      ? ['valid']
      : [
          `deviates at entry ${finding.seq}: ${finding.code}: ${finding.message}`,
          `help: ${codes[finding.code].hint}`,
        ];
  return [
    unsigned,
    `run:       ${report.run || 'none'}`,
    `entries:   ${report.entries} in order (${counts.join(', ') || 'none'})`,
    `phases:    ${report.phases.join(' > ')}`,
    `head:      ${report.head || 'none'}${compared}`,
    ...verdict,
    '',
  ].join('\n');
}
