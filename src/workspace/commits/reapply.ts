/** Applies changes made on one base to another base, file by file, and merges what two branches changed. */
import { differs, type FileChange, type FileState } from '../files/change.ts';
import { hasMarks, type MarkedText, type ThreeTexts } from '../git/merge-text.ts';

type ReapplyResult =
  | { readonly ok: true; readonly changes: readonly FileChange[] }
  | { readonly ok: false; readonly conflicts: readonly string[] };

/** Merges three texts; undefined is a conflict. */
type MergeText = (texts: ThreeTexts) => Promise<Uint8Array | undefined>;

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

/** What two branches changed since their common commit. */
interface TwoBranches {
  readonly ours: readonly FileChange[];
  readonly theirs: readonly FileChange[];
}

/** A file with marks around its conflicts. */
export interface MarkedFile extends FileChange {
  /** Its state in the branch that is merged. */
  readonly theirs: FileState;
}

type MergedBranches =
  | {
      readonly ok: true;
      /** What the merge changes in our branch. */
      readonly changes: readonly FileChange[];
      /** Those of them whose text has marks around conflicts. */
      readonly marked: readonly MarkedFile[];
    }
  /** Paths whose conflict cannot be shown as lines: a deleted file, a binary, a text with marks of its own. */
  | { readonly ok: false; readonly conflicts: readonly string[] };

/** Merges the branches file by file. Throws what `mark` throws. */
export async function mergeBranches(
  { ours, theirs }: TwoBranches,
  mark: (texts: ThreeTexts) => Promise<MarkedText | undefined>,
): Promise<MergedBranches> {
  /** By a marked text: that of the branch that is merged. */
  const shown = new Map<Uint8Array, Uint8Array>();
  const result = await reapplyChanges(theirs, ours, async ({ base, ours: other, theirs: own }) => {
    const sides = { base, ours: own, theirs: other };
    const merged = await mark(sides);
    if (merged?.isMarked !== true) return merged?.bytes;
    if (Object.values(sides).some(side => hasMarks(Buffer.from(side).toString('utf8'))))
      return undefined;
    shown.set(merged.bytes, other);
    return merged.bytes;
  });
  if (!result.ok) return result;
  const { changes } = result;
  const marked = changes.flatMap(change => {
    const bytes = change.after && shown.get(change.after.bytes);
    return bytes && change.after ? [{ ...change, theirs: { ...change.after, bytes } }] : [];
  });
  return { ok: true, changes, marked };
}
