/** Scores records, and ranks those that match a query: the score decays with age and disuse, and is negative for warnings. */
import type { TextMatch } from '../workspace/stores/full-text.ts';
import { isNegated, type MemoryRecord, type RecordKind } from './record.ts';

/** Half-lives in days: since the last confirmation, and since the last use. */
const halfLives: Readonly<Record<RecordKind, { readonly age: number; readonly idle: number }>> = {
  constraint: { age: 365, idle: 180 },
  note: { age: 180, idle: 90 },
  pattern: { age: 90, idle: 45 },
};

/** Half-life of a warning, in days. */
const warningHalfLife = 180;

/** Records below this score are not offered, and are deleted first when the store is full. */
export const forgettable = 0.05;

const dayMs = 86_400_000;

/**
 * Returns -1 to 1. A valid record scores `trust × 2^(−age/A) × 2^(−idle/I)`: trust is `1 − 2^(−n)` for a pattern with n
 * confirmations and 1 for other kinds, age is days since the last confirmation or rewrite, and idle is days since the
 * last use. A warning scores `−2^(−d/180)`, with d days since the failure or problem.
 */
export function scoreRecord(record: MemoryRecord, nowMs: number): number {
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

/** Maximum records of a store. */
const maxRecords = 500;

/** Ids to delete when there are too many records: lowest absolute score first. */
export function findForgettable(
  records: ReadonlyMap<string, MemoryRecord>,
  nowMs: number,
  max = maxRecords,
): readonly string[] {
  const excess = records.size - max;
  if (excess <= 0) return [];
  return [...records.values()]
    .map(r => ({ id: r.id, worth: Math.abs(scoreRecord(r, nowMs)) }))
    .sort((a, b) => a.worth - b.worth || (a.id < b.id ? -1 : 1))
    .slice(0, excess)
    .map(r => r.id);
}

export interface ScoredRecord {
  readonly record: MemoryRecord;
  /** From -1 to 1 (`scoreRecord`). */
  readonly score: number;
  readonly points: number;
}

/** The share of its rank that a record keeps when its score is zero. */
const floor = 0.5;

/**
 * Sorts full-text matches by `relevance × (½ + ½·|score|)`: relevance counts most, then freshness. A
 * warning ranks like the record it warns about.
 */
export function rankFound(
  hits: readonly TextMatch[],
  records: ReadonlyMap<string, MemoryRecord>,
  nowMs: number,
): readonly ScoredRecord[] {
  return hits
    .flatMap(({ id, relevance }) => {
      const record = records.get(id);
      if (record === undefined) return [];
      const score = scoreRecord(record, nowMs);
      return [{ record, score, points: relevance * (floor + (1 - floor) * Math.abs(score)) }];
    })
    .sort((a, b) => b.points - a.points || (a.record.id < b.record.id ? -1 : 1));
}

/** A record as a document for the index. */
export function buildDocument({ id, title, tags, body, tried }: MemoryRecord) {
  return { id, title, tags: [...tags, ...(tried?.files ?? [])].join(' '), body };
}
