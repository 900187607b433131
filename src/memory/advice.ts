/** The few records that a run is told at its start: relevant, worth something, in bounded bytes. Pure. */
import { warningOf } from './change.ts';
import type { MemoryRecord } from './record.ts';
import { forgettable, scoreOf } from './score.ts';
import type { ScoredRecord } from './search.ts';

export interface Advice {
  /** One line a record; empty when there is nothing to say. */
  readonly text: string;
  readonly ids: readonly string[];
}

/** Most records that are offered. */
const maxOffered = 8;
const maxTextChars = 240;

/**
 * Constraints come first, since they hold whatever the task is; then what the task's words find.
 * Records below `forgettable` are left out, and a line that no longer fits ends the list.
 */
export function drawAdvice(
  records: ReadonlyMap<string, MemoryRecord>,
  found: readonly ScoredRecord[],
  { nowMs, maxBytes }: { readonly nowMs: number; readonly maxBytes: number },
): Advice {
  const constraints = [...records.values()]
    .filter(r => r.kind === 'constraint')
    .map(record => ({ record, score: scoreOf(record, nowMs) }))
    .sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1));
  const rest = found
    .filter(f => f.record.kind !== 'constraint')
    .map(({ record }) => ({ record, score: scoreOf(record, nowMs) }));
  const ids: string[] = [];
  const lines: string[] = [];
  let left = maxBytes;
  for (const { record, score } of [...constraints, ...rest]) {
    if (ids.length >= maxOffered) break;
    if (Math.abs(score) < forgettable) continue;
    const line = lineOf(record);
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
    ids.push(record.id);
  }
  return { text: lines.join('\n'), ids };
}

/** `r-… constraint v2: title. body`, on one line. */
function lineOf(record: MemoryRecord): string {
  const warning = warningOf(record);
  const mark = warning === '' ? '' : `WARNING (${oneLine(warning, 120)}) `;
  const body = oneLine(record.body, maxTextChars);
  const title = oneLine(record.title, 120);
  const words = body.startsWith(title) ? body : `${title}. ${body}`;
  return `- ${mark}${record.id} ${record.kind} v${record.version}: ${words}`;
}

function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
