/** What an audit found ► lines for the terminal. Pure. */
import type { AuditReport } from '../audit/audit.ts';
import { codes } from '../codes.ts';

/** `head` is the hash that was compared with; empty when there was none. */
export function renderAudit(report: AuditReport, head: string): string {
  const { finding } = report;
  const counts = Object.entries(report.decisions).map(([name, n]) => `${n} ${name}`);
  const compared = head === '' ? ' (compared with nothing; give --head)' : '';
  const verdict =
    finding === null
      ? ['valid']
      : [
          `deviates at entry ${finding.seq}: ${finding.code}: ${finding.message}`,
          `What to do: ${codes[finding.code].hint}`,
        ];
  return [
    `run:       ${report.run || 'none'}`,
    `entries:   ${report.entries} in order (${counts.join(', ') || 'none'})`,
    `phases:    ${report.phases.join(' > ')}`,
    `head:      ${report.head || 'none'}${compared}`,
    ...verdict,
    '',
  ].join('\n');
}
