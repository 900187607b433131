/** Records and changes for the tests, with what matters to each given. */
import { applyChange, type Change } from '../../src/memory/change.ts';
import type { MemoryRecord, Provenance } from '../../src/memory/record.ts';

export const home = 'octo/sample';

/** Day n of a simulated calendar. */
export function day(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString();
}

export function byOn(n: number, run = `run-${n}`): Provenance {
  return { run, commit: 'c'.repeat(40), who: 'wendy', at: day(n) };
}

type ChangeOf<O extends Change['op']> = Extract<Change, { op: O }>;

export function adding(body: string, more: Partial<ChangeOf<'add'>> = {}): ChangeOf<'add'> {
  const words = { title: body.slice(0, 40), body, tags: [] };
  return { op: 'add', workspace: home, kind: 'note', ...words, by: byOn(0), ...more };
}

export const tried = { files: ['src/price.js'], skills: ['test-repair'], command: 'npm test' };

export function confirming(n: number): ChangeOf<'confirm'> {
  const words = { title: 'Repair the discount', body: 'Changed src/price.js; npm test passed.' };
  return { op: 'confirm', workspace: home, ...words, tags: [], tried, by: byOn(n) };
}

/** The records after changes that must all be taken. */
export function recordsAfter(
  changes: readonly Change[],
  start: ReadonlyMap<string, MemoryRecord> = new Map(),
) {
  const records = new Map(start);
  for (const change of changes) {
    const done = applyChange(records, change, home);
    if (!done.ok) throw new Error(`${done.code}: ${done.message}`);
    if (done.record === undefined) records.delete(done.id);
    else records.set(done.id, done.record);
  }
  return records;
}

export function only(records: ReadonlyMap<string, MemoryRecord>): MemoryRecord {
  const [record, ...more] = records.values();
  if (record === undefined || more.length > 0) throw new Error(`${more.length + 1} records`);
  return record;
}
