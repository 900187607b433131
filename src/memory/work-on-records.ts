/** Turns record changes into edits of the store's files, merged with its current state, and writes them by compare-and-swap. */
import { PhotonError } from '../base/codes.ts';
import type { VersionedStore } from '../workspace/stores/versioned-store.ts';
import { acceptedBy, applyChange, type Change, type ChangeResult } from './change.ts';
import {
  maxQueueDays,
  maxQueues,
  type Queue,
  queuePath,
  readQueues,
  renderQueue,
} from './queue.ts';
import { type MemoryRecord, readRecords, recordPath, renderRecord } from './record.ts';
import { findForgettable } from './score.ts';

interface RecordScope {
  /** The workspace of the records. */
  readonly home: string;
  readonly nowMs: number;
}

type Files = ReadonlyMap<string, string>;

export interface Result {
  readonly applied: readonly ChangeResult[];
  /** Ids of records that were deleted because there were too many. */
  readonly forgotten: readonly string[];
}

interface Plan extends RecordScope {
  readonly changes: readonly Change[];
  readonly message: string;
}

/**
 * Applies changes to the current records. Concurrent changes of other records stay; a concurrent change
 * of the same record makes an update stale.
 */
export function workOnRecords(files: Files, { changes, home, nowMs, message }: Plan): Work<Result> {
  const { records: before } = readRecords(files, home);
  const records = new Map(before);
  const applied = changes.map(change => {
    const done = applyChange(records, change, home);
    if (!done.ok || !done.changed) return done;
    if (done.record === undefined) records.delete(done.id);
    else records.set(done.id, done.record);
    return done;
  });
  const forgotten = findForgettable(records, nowMs);
  for (const id of forgotten) records.delete(id);
  return { edits: listEdits(before, records), message, value: { applied, forgotten } };
}

function listEdits(
  before: ReadonlyMap<string, MemoryRecord>,
  after: ReadonlyMap<string, MemoryRecord>,
): Map<string, string | undefined> {
  const edits = new Map<string, string | undefined>();
  for (const id of before.keys()) if (!after.has(id)) edits.set(recordPath(id), undefined);
  for (const [id, record] of after)
    if (before.get(id) !== record) edits.set(recordPath(id), renderRecord(record));
  return edits;
}

/** As `workOnRecords`, and queues changes for review; they replace those of an earlier run on the same branch. */
export function workWithQueue(
  files: Files,
  plan: Plan & { readonly queue: Queue | undefined },
): Work<Result> {
  const work = workOnRecords(files, plan);
  const edits = new Map(work.edits);
  const waiting = readQueues(files);
  const { queue, nowMs } = plan;
  const tooOld = (q: Queue) => nowMs - Date.parse(q.at) > maxQueueDays * 86_400_000;
  const isReplaced = (q: Queue) =>
    queue !== undefined && queue.branch !== '' && q.branch === queue.branch;
  for (const [i, old] of waiting.entries())
    if (tooOld(old) || isReplaced(old) || waiting.length - i >= maxQueues)
      edits.set(queuePath(old.run), undefined);
  if (queue !== undefined && queue.changes.length > 0)
    edits.set(queuePath(queue.run), renderQueue(queue));
  return { ...work, edits };
}

interface Settlement extends RecordScope {
  readonly run: string;
  /** `accept` applies the pending changes, `drop` discards them. */
  readonly verdict: 'accept' | 'drop';
  readonly who: string;
  /** Why the queue is not the one that was reviewed; undefined when it is. */
  readonly mismatch: (queue: Queue) => string | undefined;
}

export type SettlementResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'mismatch'; readonly why: string }
  | ({ readonly kind: 'done' } & Result);

/** Applies or drops the pending changes of a run, and removes them so that they are applied once only. */
export function workOnQueue(files: Files, settlement: Settlement): Work<SettlementResult> {
  const { run, verdict, who, mismatch } = settlement;
  const none = new Map<string, string | undefined>();
  const queue = readQueues(files).find(q => q.run === run);
  if (queue === undefined) return { edits: none, message: '', value: { kind: 'none' } };
  const why = mismatch(queue);
  if (why !== undefined) return { edits: none, message: '', value: { kind: 'mismatch', why } };
  const changes = verdict === 'accept' ? queue.changes.map(c => acceptedBy(c, who)) : [];
  const verb = verdict === 'accept' ? 'Accept' : 'Drop';
  const work = workOnRecords(files, {
    ...settlement,
    changes,
    message: `${verb} the changes of run ${run}`,
  });
  const edits = new Map(work.edits).set(queuePath(run), undefined);
  return { ...work, edits, value: { kind: 'done', ...work.value } };
}

export interface Retry {
  /** Returns 0 to 1; spreads concurrent writers. */
  readonly random: () => number;
  /** Throws when there is no time for another try. */
  readonly wait: (ms: number) => Promise<void>;
  /** Maximum tries. Default: 40. */
  readonly tries?: number;
}

export interface Work<T> {
  /** Edits by path; empty when nothing must be written. */
  readonly edits: ReadonlyMap<string, string | undefined>;
  readonly message: string;
  readonly value: T;
}

interface RewriteResult<T> {
  readonly value: T;
  readonly tries: number;
  readonly written: boolean;
}

/** A try takes GitHub a second or two, so waits of that size separate concurrent writers. */
const firstWaitMs = 200;
const longestWaitMs = 8_000;

/**
 * Calls `work` again for every new state, so that no concurrent change is lost. The wait between tries
 * doubles up to eight seconds, times a random factor.
 * @throws PhotonError `MEMORY_CONFLICT` after the last try, and what the store throws.
 */
export async function rewriteStore<T>(
  store: VersionedStore,
  work: (files: ReadonlyMap<string, string>) => Work<T>,
  { random, wait, tries: max = 40 }: Retry,
): Promise<RewriteResult<T>> {
  for (let tries = 1; tries <= max; tries++) {
    const state = await store.read();
    const { edits, message, value } = work(state.files);
    if (edits.size === 0) return { value, tries, written: false };
    if ((await store.swap(state, edits, message)) === 'done')
      return { value, tries, written: true };
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries - 1, 10));
    await wait(Math.ceil(longest * (0.2 + 0.8 * random())));
  }
  throw new PhotonError(
    'MEMORY_CONFLICT',
    `${store.place}: all ${max} tries conflicted with other writers.`,
  );
}
