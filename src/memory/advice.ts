/** Selects the records that a run sees at its start: relevant, trusted, within a byte limit. */
import { describeWarning } from './change.ts';
import type { MemoryRecord } from './record.ts';
import { forgettable, scoreRecord } from './score.ts';
import type { ScoredRecord } from './search.ts';

export interface Advice {
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

function oneLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
