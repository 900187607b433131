/** The hunks of a patch: taken out one by one, to find those that no test needs. Pure. */
import type { ProvenLines } from '../../base/findings.ts';
import type { FileChange, FileState } from '../../workspace/files/change.ts';
import { compareLines, type ReplacedLines } from '../../workspace/text/compare-lines.ts';
import { isUtf8Text } from '../../workspace/text/text-file.ts';

/** One place of a patch. `replaced` is undefined for a file that is added, deleted or not text: it is one hunk. */
export interface Hunk {
  readonly path: string;
  readonly replaced: ReplacedLines | undefined;
}

/** All hunks of these changes, in order. */
export function listHunks(changes: readonly FileChange[]): readonly Hunk[] {
  return changes.flatMap((change): readonly Hunk[] => {
    const { path, before, after } = change;
    const isText = [before, after].every(s => s !== undefined && isUtf8Text(s.bytes));
    if (!isText || before?.mode !== after?.mode) return [{ path, replaced: undefined }];
    return compareLines(splitLines(before), splitLines(after)).map(replaced => ({
      path,
      replaced,
    }));
  });
}

/** Where a hunk is in the file with the patch. One that only removes lines ends before it starts. */
export function locateHunk({ path, replaced }: Hunk): ProvenLines {
  if (replaced === undefined) return { path, start: 1, end: 0 };
  return { path, start: replaced.newStart + 1, end: replaced.newEnd };
}

/** The changes without these hunks. A file without any of its hunks is left out. */
export function withoutHunks(
  changes: readonly FileChange[],
  left: ReadonlySet<Hunk>,
): readonly FileChange[] {
  return changes.flatMap(change => {
    const own = [...left].filter(h => h.path === change.path);
    if (own.length === 0) return [change];
    if (
      own.some(h => h.replaced === undefined) ||
      change.before === undefined ||
      change.after === undefined
    )
      return [];
    const after = undo(change.before, change.after, own);
    return Buffer.from(after.bytes).equals(Buffer.from(change.before.bytes))
      ? []
      : [{ ...change, after }];
  });
}

function undo(before: FileState, after: FileState, left: readonly Hunk[]): FileState {
  const [old, now] = [splitLines(before), [...splitLines(after)]];
  const inOrder = left
    .map(h => h.replaced)
    .filter(r => r !== undefined)
    .sort((a, b) => b.newStart - a.newStart);
  for (const { oldStart, oldEnd, newStart, newEnd } of inOrder)
    now.splice(newStart, newEnd - newStart, ...old.slice(oldStart, oldEnd));
  return { ...after, bytes: Buffer.from(now.join('')) };
}

/** The lines of a text, each with its line feed. */
export function splitLines(state: FileState | undefined): readonly string[] {
  return state === undefined
    ? []
    : Buffer.from(state.bytes)
        .toString('utf8')
        .split(/(?<=\n)/)
        .filter(l => l !== '');
}

/**
 * Finds the hunks that are not needed: `passes` says whether every test passes without some hunks. Groups that are not
 * needed are found at once, the others are halved. It stops early when `passes` gives undefined.
 * @returns the hunks that are not needed together, and how many were looked at.
 */
export async function findNotNeeded(
  hunks: readonly Hunk[],
  passes: (without: ReadonlySet<Hunk>) => Promise<boolean | undefined>,
): Promise<{ readonly notNeeded: ReadonlySet<Hunk>; readonly tried: number }> {
  const notNeeded = new Set<Hunk>();
  const tried = new Set<Hunk>();
  const look = async (group: readonly Hunk[]): Promise<boolean> => {
    const passed = await passes(new Set([...notNeeded, ...group]));
    if (passed === undefined) return false;
    if (passed) for (const hunk of group) notNeeded.add(hunk);
    if (passed || group.length === 1) for (const hunk of group) tried.add(hunk);
    if (passed || group.length === 1) return true;
    const middle = Math.ceil(group.length / 2);
    return (await look(group.slice(0, middle))) && (await look(group.slice(middle)));
  };
  // few hunks are each left out by themselves, since most patches need all of theirs
  const groups = hunks.length <= 8 ? hunks.map(h => [h]) : [hunks];
  for (const group of groups) if (!(await look(group))) break;
  return { notNeeded, tried: tried.size };
}
