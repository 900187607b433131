/** Merges what two branches changed since their common commit. Conflicts of lines are marked, all others are named. */
import type { FileChange, FileState } from '../files/change.ts';
import type { MarkedText, ThreeTexts } from '../git/merge-text.ts';
import { hasMarks } from '../text/conflict-marks.ts';
import { reapplyChanges } from './reapply.ts';

/** What two branches changed since their common commit. */
export interface TwoBranches {
  readonly ours: readonly FileChange[];
  readonly theirs: readonly FileChange[];
}

/** A file with marks around its conflicts. */
export interface MarkedFile extends FileChange {
  /** Its state in the branch that is merged. */
  readonly theirs: FileState;
}

export type MergedBranches =
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
