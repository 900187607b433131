/** Applies changes made on one base to another base, file by file. */
import { differs, type FileChange, type FileState } from '../files/change.ts';
import type { ThreeTexts } from '../git/merge-text.ts';

export type ReapplyResult =
  | { readonly ok: true; readonly changes: readonly FileChange[] }
  | { readonly ok: false; readonly conflicts: readonly string[] };

/** Merges three texts; undefined is a conflict. */
export type MergeText = (texts: ThreeTexts) => Promise<Uint8Array | undefined>;

/**
 * Applies a patch to a newer base. A file that only one side changed is taken from that side. A text
 * that both sides changed is merged by lines. Any other file that both sides changed differently is a conflict.
 */
export async function reapplyChanges(
  changes: readonly FileChange[],
  drift: readonly FileChange[],
  merge: MergeText,
): Promise<ReapplyResult> {
  const moved = new Map(drift.map(d => [d.path, d.after]));
  const conflicts = changes.flatMap(c => pathConflicts(c, drift));
  const made: FileChange[] = [];
  for (const change of changes) {
    const { path, after } = change;
    if (!moved.has(path)) {
      made.push(change);
      continue;
    }
    const theirs = moved.get(path);
    const merged = await mergeState(change, theirs, merge);
    if (merged === 'conflict') conflicts.push(path);
    else made.push({ path, before: theirs, after: merged === 'ours' ? after : merged });
  }
  return conflicts.length > 0
    ? { ok: false, conflicts: [...new Set(conflicts)] }
    : { ok: true, changes: made.filter(differs) };
}

/** A path of the patch that is a folder in the newer base, or lies in a folder that became a file. */
function pathConflicts(
  { path, after }: FileChange,
  drift: readonly FileChange[],
): readonly string[] {
  if (after === undefined) return [];
  const crossed = drift.some(
    d => d.after !== undefined && (d.path.startsWith(`${path}/`) || path.startsWith(`${d.path}/`)),
  );
  return crossed ? [path] : [];
}

async function mergeState(
  { before, after: ours }: FileChange,
  theirs: FileState | undefined,
  merge: MergeText,
): Promise<FileState | undefined | 'ours' | 'conflict'> {
  if (!differs({ before, after: theirs })) return 'ours';
  if (!differs({ before: ours, after: theirs })) return theirs;
  if (before === undefined || ours === undefined || theirs === undefined) return 'conflict';
  const modes = [before, ours, theirs].map(s => s.mode);
  if (modes.some(m => !m.startsWith('100'))) return 'conflict';
  if (before.mode !== ours.mode && before.mode !== theirs.mode && ours.mode !== theirs.mode)
    return 'conflict';
  const mode = ours.mode === before.mode ? theirs.mode : ours.mode;
  const bytes = await merge({ base: before.bytes, ours: ours.bytes, theirs: theirs.bytes });
  return bytes === undefined ? 'conflict' : { mode, bytes };
}

/** Combines two consecutive sets of changes into one. */
export function joinChanges(
  first: readonly FileChange[],
  second: readonly FileChange[],
): readonly FileChange[] {
  const joined = new Map(first.map(c => [c.path, c]));
  for (const change of second) {
    const earlier = joined.get(change.path);
    joined.set(change.path, earlier === undefined ? change : { ...change, before: earlier.before });
  }
  return [...joined.values()].filter(differs).sort((a, b) => (a.path < b.path ? -1 : 1));
}
