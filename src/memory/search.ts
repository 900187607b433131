/** Ranks the records that match a query. */
import type { TextMatch } from '../workspace/stores/full-text.ts';
import type { MemoryRecord } from './record.ts';
import { scoreRecord } from './score.ts';

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
