/** Changes a ledger and seals it again from its first entry, as an attacker who knows the format would. */
import { hashEntry, type LedgerEntry } from '../../src/ledger/ledger.ts';

/** Mutable entries. */
export type Forgeable = Record<string, unknown> & {
  tool: string;
  decision: string;
  phase: string;
};

export function forgeLedger(text: string, change: (entries: Forgeable[]) => void): string {
  const entries = text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Forgeable);
  change(entries);
  let previous = String(entries[0]?.previous);
  return entries
    .map((entry, i) => {
      const { hash: _hash, previous: _previous, ...body } = entry;
      const sealed = { ...body, seq: i + 1, previous };
      previous = hashEntry(sealed as unknown as Omit<LedgerEntry, 'hash'>);
      return `${JSON.stringify({ ...sealed, hash: previous })}\n`;
    })
    .join('');
}
