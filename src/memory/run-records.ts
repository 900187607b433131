/** Gives one run its view of the records: those at its start, plus its own changes. */
import type { FullText } from '../workspace/stores/full-text.ts';
import { applyChange, type Change, type ChangeResult } from './change.ts';
import type { MemoryRecord, Provenance } from './record.ts';
import { buildDocument, rankFound, type ScoredRecord } from './score.ts';

/** Maximum changes of one run, and maximum bytes of their texts together. */
const runLimits = { adds: 10, edits: 20, textBytes: 20_000 } as const;

export interface RunRecords {
  /** The workspace of the records; no other can be reached. */
  readonly home: string;
  readonly by: Provenance;
  readonly records: ReadonlyMap<string, MemoryRecord>;
  /** Changes of this run in order; the end of the run decides which are kept. */
  readonly changes: readonly Change[];
  /** Ids that the run asked for. */
  readonly lookedUp: ReadonlySet<string>;
  /** The result that a change would have; changes nothing. */
  check(change: Change): ChangeResult;
  apply(change: Change): ChangeResult;
  search(query: string): readonly ScoredRecord[];
  /** Records by id; unknown ids are left out. */
  get(ids: readonly string[]): readonly ScoredRecord[];
  /** Marks records as looked up. */
  lookUp(ids: readonly string[]): void;
  /** Marks records as shown in the first prompt. */
  offer(ids: readonly string[]): void;
  /** The version of a record that this run has read or written; undefined for another record. */
  seenVersion(id: string): number | undefined;
}

interface RunRecordsOptions extends Pick<RunRecords, 'home' | 'by' | 'records'> {
  readonly index: FullText;
  readonly nowMs: number;
}

/** Opens the records of a run and indexes each of them. */
export function openRunRecords(options: RunRecordsOptions): RunRecords {
  const { home, by, index, nowMs } = options;
  const records = new Map(options.records);
  const changes: Change[] = [];
  const lookedUp = new Set<string>();
  /** Records that the run knows without having asked for them: offered ones, and its own. */
  const seen = new Set<string>();
  for (const record of records.values()) index.put(buildDocument(record));
  const check = (change: Change): ChangeResult => {
    const done = applyChange(records, change, home);
    const limit = done.ok && done.changed ? beyondLimit(changes, change) : undefined;
    return limit === undefined
      ? done
      : { ok: false, id: done.id, code: 'RECORD_LIMIT', message: limit };
  };
  return {
    home,
    by,
    records,
    changes,
    lookedUp,
    check,
    apply: change => {
      const done = check(change);
      if (!done.ok || !done.changed || done.record === undefined) return done;
      records.set(done.id, done.record);
      seen.add(done.id);
      index.put(buildDocument(done.record));
      changes.push(change);
      return done;
    },
    search: query => rankFound(index.search(query), records, nowMs),
    get: ids =>
      rankFound(
        [...new Set(ids)].map(id => ({ id, relevance: 1 })),
        records,
        nowMs,
      ),
    lookUp: ids => {
      for (const id of ids) lookedUp.add(id);
    },
    offer: ids => {
      for (const id of ids) seen.add(id);
    },
    seenVersion: id => {
      return lookedUp.has(id) || seen.has(id) ? records.get(id)?.version : undefined;
    },
  };
}

/** Why a change would exceed the limits of the run; undefined when it does not. */
function beyondLimit(changes: readonly Change[], change: Change): string | undefined {
  const adds = changes.filter(c => c.op === 'add').length;
  if (change.op === 'add' && adds >= runLimits.adds)
    return `a run may add at most ${runLimits.adds} records`;
  if (change.op !== 'add' && changes.length - adds >= runLimits.edits)
    return `a run may change records at most ${runLimits.edits} times`;
  const bytes = [...changes, change].reduce((sum, c) => sum + textBytes(c), 0);
  return bytes > runLimits.textBytes
    ? `the record changes of a run may contain at most ${runLimits.textBytes} bytes`
    : undefined;
}

function textBytes(change: Change): number {
  const texts = 'body' in change ? [change.title ?? '', change.body, ...(change.tags ?? [])] : [];
  const issue = change.op === 'issue' ? [change.text, change.metadata] : [];
  return [...texts, ...issue].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
