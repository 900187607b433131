/** Shows changes that are not made, with the line numbers of the files as they are. */
import type { EvidenceEvent } from '../guard/evidence.ts';
import { showLines } from '../guard/read-lines.ts';
import type { FileState } from '../workspace/files/change.ts';
import { renderNumberedDiff } from '../workspace/text/numbered-diff.ts';
import { parseTextFile, type TextFile } from '../workspace/text/text-file.ts';

/** One file before a change and after it; undefined where it does not exist. */
export interface ShownChange {
  readonly path: string;
  /** What becomes of its mode, as the end of a line; empty by default. */
  readonly mode?: string;
  readonly before: TextFile | 'binary' | undefined;
  readonly after: TextFile | 'binary' | undefined;
}

/** The text of a state of a file. */
export function parseState(state: FileState | undefined): TextFile | 'binary' | undefined {
  if (state === undefined) return undefined;
  return state.mode.startsWith('100') ? parseTextFile(state.bytes) : 'binary';
}

export interface ShownChanges {
  readonly text: string;
  readonly events: readonly EvidenceEvent[];
  /** For each file, the first old line of each place that is not shown in full. */
  readonly left: Map<string, ReadonlySet<number>>;
}

/** Unchanged lines around each change. */
const context = 1;

/**
 * Diffs one after another, within a bound.
 * @param only true for a place to show, by its file and its first and last line there; all when absent.
 */
export function showChanges(
  changes: readonly ShownChange[],
  maxBytes: number,
  only?: (path: string, first: number, last: number) => boolean,
): ShownChanges {
  const parts: string[] = [];
  const events: EvidenceEvent[] = [];
  const left: ShownChanges['left'] = new Map();
  let free = maxBytes;
  for (const { path, mode = '', before, after } of changes) {
    if (before === 'binary' || after === 'binary') {
      parts.push(`${path}: not a text file${mode}`);
      continue;
    }
    if (before === undefined) {
      parts.push(`${path}: new, ${after?.lines.length} lines${mode}`);
      continue;
    }
    const diff = renderNumberedDiff(before.lines, after?.lines ?? [], {
      numbers: 'before',
      context,
      maxBytes: free,
      only: only === undefined ? undefined : (first, last) => only(path, first, last),
    });
    free = Math.max(0, free - Buffer.byteLength(diff.text) - path.length);
    if (diff.left.size > 0) left.set(path, diff.left);
    if (diff.text !== '' || mode !== '')
      parts.push(`${path}${after === undefined ? ', deleted' : mode}\n${diff.text}`.trimEnd());
    // of a file that gets another mode alone, all is shown
    if (diff.shown.size > 0 || (mode !== '' && diff.left.size === 0))
      events.push(showLines('shown', path, diff.shown));
  }
  const places = [...left.values()].reduce((sum, lines) => sum + lines.size, 0);
  if (places > 0) parts.push(`[cut: ${places} more places]`);
  return { text: parts.join('\n'), events, left };
}
