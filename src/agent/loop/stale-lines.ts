/** The present lines that a refused edit may mean, so that the next call can be right. Pure. */
import type { Claim, LineRange } from '../../guard/claim.ts';
import type { EvidenceEvent } from '../../guard/evidence.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { Case } from '../../guard/rule.ts';

/** Text for the model, and the evidence that it was shown. */
export interface StaleLines {
  readonly text: string;
  readonly events: readonly Extract<EvidenceEvent, { kind: 'shown' }>[];
}

/** Most lines, and most bytes of them, that one refusal shows. */
const maxLines = 80;
const maxBytes = 6_000;
/** Lines around those that may be meant. */
const around = 1;

/** The lines of all edits of a call, file by file; without text where a call edits none. */
export function findStaleLines({ call, facts }: Pick<Case, 'call' | 'facts'>): StaleLines {
  const parts: string[] = [];
  const events: Extract<EvidenceEvent, { kind: 'shown' }>[] = [];
  const free = { lines: maxLines, bytes: maxBytes };
  for (const claim of call.claims) {
    if (claim.kind !== 'write' || claim.change !== 'edit') continue;
    const path = normalisePath(claim.path);
    const known = path === undefined ? undefined : facts.get(path);
    if (path === undefined || known?.kind !== 'file') continue;
    const lines = chooseLines(claim, known.lines, free);
    if (lines.size === 0) continue;
    const rows = [...lines].map(([line, text]) => `${line}\t${text}`);
    parts.push([`${path}, as it is now (${known.lines.length} lines):`, ...rows].join('\n'));
    events.push({ kind: 'shown', path, lines });
  }
  return { text: parts.join('\n'), events };
}

function chooseLines(
  { ranges }: Extract<Claim, { kind: 'write' }>,
  all: readonly string[],
  free: { lines: number; bytes: number },
): ReadonlyMap<number, string> {
  const numbers = ranges.flatMap(range =>
    (range.moved === undefined || range.moved.length === 0 ? [range] : range.moved).flatMap(r =>
      numbersAround(r, all.length),
    ),
  );
  const shown = new Map<number, string>();
  for (const line of [...new Set(numbers)].sort((a, b) => a - b)) {
    const text = all[line - 1] ?? '';
    free.lines -= 1;
    free.bytes -= Buffer.byteLength(text) + 8;
    if (free.lines < 0 || free.bytes < 0) break;
    shown.set(line, text);
  }
  return shown;
}

/** The lines of a range and its neighbours that exist; at most as many as a refusal shows. */
function numbersAround({ startLine, endLine }: LineRange, count: number): readonly number[] {
  const first = Math.max(1, Math.min(startLine, count) - around);
  const last = Math.min(count, Math.max(startLine - 1, endLine) + around, first + maxLines);
  const size = Math.max(0, last - first + 1);
  return Array.from({ length: size }, (_, i) => first + i);
}
