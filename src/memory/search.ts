/** Which records answer a question, best first. Pure but for the index that it is given. */
import type { TextMatch } from '../workspace/stores/full-text.ts';
import type { MemoryRecord } from './record.ts';
import { scoreOf } from './score.ts';

export interface ScoredRecord {
  readonly record: MemoryRecord;
  /** From -1 to 1 (`scoreOf`). */
  readonly score: number;
  readonly points: number;
}

/** The part of the rank that a record keeps when its score has come down to nothing. */
const floor = 0.5;

/**
 * Hits of the full text ordered by `relevance × (½ + ½·|score|)`: what fits comes first, of two that
 * fit alike the one that is fresher. A warning ranks as what it warns of.
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
      const score = scoreOf(record, nowMs);
      return [{ record, score, points: relevance * (floor + (1 - floor) * Math.abs(score)) }];
    })
    .sort((a, b) => b.points - a.points || (a.record.id < b.record.id ? -1 : 1));
}

/** A record as the index takes it in. */
export function documentOf({ id, title, tags, body, tried }: MemoryRecord) {
  return { id, title, tags: [...tags, ...(tried?.files ?? [])].join(' '), body };
}
