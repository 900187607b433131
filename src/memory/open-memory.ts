/** The records as a run sees them: read at its start, offered as advice, never evidence (constitution §7.2). */
import type { Task } from '../base/task.ts';
import type { Settings } from '../settings/settings.ts';
import { openFullText } from '../workspace/stores/full-text.ts';
import type { VersionedStore } from '../workspace/stores/versioned-store.ts';
import { type Advice, selectAdvice } from './advice.ts';
import { type MemoryRecord, type Provenance, readRecords } from './record.ts';
import { openRunRecords, type RunRecords } from './run-records.ts';

export interface RunMemory {
  readonly place: MemorySource;
  readonly runRecords: RunRecords;
  /** What the first prompt says about earlier runs. */
  readonly advice: Advice;
  /** The records that it offers. */
  readonly offered: readonly MemoryRecord[];
  /** False when the author of the task has no right to keep records. */
  readonly writable: boolean;
  /** How many records were read, and how many files belong to no workspace or to another one. */
  readonly counts: {
    readonly records: number;
    readonly foreign: number;
    readonly unreadable: number;
  };
  close(): void;
}

export interface MemoryOptions {
  readonly memory: () => Promise<MemorySource | undefined>;
  readonly settings: Settings;
  /** True: the agent expects record tools, so a note says when there is no store. */
  readonly expected: boolean;
  readonly task: Task;
  readonly by: Provenance;
  readonly nowMs: number;
  /** Resolves when the run stops waiting for the store. */
  readonly giveUp: Promise<void>;
  readonly note: (text: string) => void;
}

/**
 * Reads the records. Memory only advises: when the store cannot be read, a note says so and the run goes
 * on without it.
 */
export async function openMemory(options: MemoryOptions): Promise<RunMemory | undefined> {
  if (options.settings.memoryMode === 'off') return undefined;
  try {
    const late = options.giveUp.then(() => {
      throw new Error('the store did not answer in time');
    });
    return await Promise.race([readMemory(options), late]);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    options.note(`MEMORY_UNAVAILABLE: the records could not be read: ${why.slice(0, 300)}`);
    return undefined;
  }
}

const noStore =
  'MEMORY_MISSING: there can be no store of records here, so the agent has no record tools.';

async function readMemory(options: MemoryOptions): Promise<RunMemory | undefined> {
  const place = await options.memory();
  // a store is made where the agent has record tools, or where a setting names memory
  const makes = options.expected || options.settings.memoryNamed;
  if (place === undefined || !(place.isThere() || makes)) {
    if (options.expected) options.note(noStore);
    return undefined;
  }
  const { nowMs, settings, by, task, note } = options;
  const [{ files }, writable] = await Promise.all([place.store.read(), place.mayKeep(task)]);
  const { records, foreign, unreadable } = readRecords(files, place.home);
  if (foreign > 0) note(`${foreign} records of another workspace were left out.`);
  if (unreadable > 0) note(`${unreadable} files among the records could not be read.`);
  const index = openFullText();
  const runRecords = openRunRecords({ home: place.home, by, records, index, nowMs });
  const words = [task.prompt, ...task.context.map(c => c.text)].join('\n');
  const maxBytes = settings.adviceBytes ?? 0;
  const advice =
    maxBytes === 0
      ? { text: '', ids: [] }
      : selectAdvice(records, runRecords.search(words), { nowMs, maxBytes });
  runRecords.offer(advice.ids);
  return {
    place,
    runRecords,
    advice,
    writable,
    offered: advice.ids.flatMap(id => records.get(id) ?? []),
    counts: { records: records.size, foreign, unreadable },
    close: () => index.close(),
  };
}

/** Where the long-term records of this repository are. */
export interface MemorySource {
  readonly store: VersionedStore;
  /** True when the store exists; the first write makes it. */
  readonly isThere: () => boolean;
  /** `owner/name`, or `local`: the workspace that every record and every change must belong to. */
  readonly home: string;
  /** True when the results of this task may be kept: an authorised person must have requested it. */
  readonly mayKeep: (task: Task) => Promise<boolean>;
  /** Settles changes of earlier runs whose pull request is closed now. @returns a message for each. */
  readonly settle: () => Promise<readonly string[]>;
}
