/** The records as a run sees them: read at its start, offered as advice, never evidence (constitution §7.2). */
import { oneLine } from '../base/plural.ts';
import type { Task } from '../base/task.ts';
import type { Settings } from '../settings/settings.ts';
import { openFullText } from '../workspace/stores/full-text.ts';
import type { VersionedStore } from '../workspace/stores/versioned-store.ts';
import { describeWarning } from './change.ts';
import { type MemoryRecord, type Provenance, readRecords } from './record.ts';
import { openRunRecords, type RunRecords } from './run-records.ts';
import { forgettable, type ScoredRecord, scoreRecord } from './score.ts';

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

interface MemoryOptions {
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
 * Reads the records. Memory only advises: when the store cannot be read, a note says so and the run goes on without it.
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

interface Advice {
  /** One line per record; empty when no record applies. */
  readonly text: string;
  readonly ids: readonly string[];
}

/** Maximum number of records. */
const maxOffered = 8;
const maxTextChars = 240;

/**
 * Constraints come first, because they apply to every task; then the records that match the task. Skips
 * records below `forgettable`. The first line that does not fit ends the list.
 */
export function selectAdvice(
  records: ReadonlyMap<string, MemoryRecord>,
  found: readonly ScoredRecord[],
  { nowMs, maxBytes }: { readonly nowMs: number; readonly maxBytes: number },
): Advice {
  const constraints = [...records.values()]
    .filter(r => r.kind === 'constraint')
    .map(record => ({ record, score: scoreRecord(record, nowMs) }))
    .sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1));
  const rest = found
    .filter(f => f.record.kind !== 'constraint')
    .map(({ record }) => ({ record, score: scoreRecord(record, nowMs) }));
  const ids: string[] = [];
  const lines: string[] = [];
  let left = maxBytes;
  for (const { record, score } of [...constraints, ...rest]) {
    if (ids.length >= maxOffered) break;
    if (Math.abs(score) < forgettable) continue;
    const line = formatRecord(record);
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
    ids.push(record.id);
  }
  return { text: lines.join('\n'), ids };
}

/** `r-… constraint v2: title. body`, on one line. */
function formatRecord(record: MemoryRecord): string {
  const warning = describeWarning(record);
  const mark = warning === '' ? '' : `WARNING (${oneLine(warning, 120)}) `;
  const body = oneLine(record.body, maxTextChars);
  const title = oneLine(record.title, 120);
  const text = body.startsWith(title) ? body : `${title}. ${body}`;
  return `- ${mark}${record.id} ${record.kind} v${record.version}: ${text}`;
}
