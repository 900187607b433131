/** What a record is worth now: it decays with age and with non-use, and a failure turns it round. Pure. */
import { isNegated, type MemoryRecord, type RecordKind } from './record.ts';

/** Days after which a half is left: since it was last true, since it was last used. */
export const halfLives: Readonly<
  Record<RecordKind, { readonly age: number; readonly idle: number }>
> = {
  constraint: { age: 365, idle: 180 },
  note: { age: 180, idle: 90 },
  pattern: { age: 90, idle: 45 },
};

/** Days after which a half of a warning is left. */
export const warningHalfLife = 180;

/** Below this a record is neither offered nor kept when room is needed. */
export const forgettable = 0.05;

const dayMs = 86_400_000;

/**
 * From -1 to 1. A record that holds: `trust × 2^(−age/A) × 2^(−idle/I)`, with the trust of a pattern
 * `1 − 2^(−n)` for n confirmations (1 for what people or agents wrote), age in days since it was
 * last confirmed or rewritten, idle in days since it was last used. A negated one: `−2^(−d/180)`,
 * d in days since the failure or the problem.
 */
export function scoreOf(record: MemoryRecord, nowMs: number): number {
  const days = (at: string) => Math.max(0, nowMs - Date.parse(at)) / dayMs;
  if (isNegated(record)) {
    const since = [record.failedAt, ...record.issues.map(i => i.by.at)].filter(at => at !== '');
    return -(2 ** (-Math.min(...since.map(days)) / warningHalfLife));
  }
  const { age, idle } = halfLives[record.kind];
  const trust = record.kind === 'pattern' ? 1 - 2 ** -record.confirmed : 1;
  const fresh = Math.min(days(record.confirmedAt), days(record.updated.at));
  return trust * 2 ** (-fresh / age) * 2 ** (-days(record.usedAt) / idle);
}

/** Most records of a store. */
export const maxRecords = 500;

/** Ids that give way when there are too many: the least worth first, warnings by their strength. */
export function findForgettable(
  records: ReadonlyMap<string, MemoryRecord>,
  nowMs: number,
  max = maxRecords,
): readonly string[] {
  const excess = records.size - max;
  if (excess <= 0) return [];
  return [...records.values()]
    .map(r => ({ id: r.id, worth: Math.abs(scoreOf(r, nowMs)) }))
    .sort((a, b) => a.worth - b.worth || (a.id < b.id ? -1 : 1))
    .slice(0, excess)
    .map(r => r.id);
}
