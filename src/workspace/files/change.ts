/** The state of a file in git's terms, and a change from one state to another. */

/** Git's modes of things that a tree holds: regular, executable, symbolic link, submodule. */
export type FileMode = '100644' | '100755' | '120000' | '160000';

export interface FileState {
  readonly mode: FileMode;
  readonly bytes: Uint8Array;
}

/** One path before and after; `null` means that it is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
}

/** True when there is something to change: one side is missing, or mode or bytes are others. */
export function differs({ before, after }: Pick<FileChange, 'before' | 'after'>): boolean {
  if (before === null || after === null) return before !== after;
  return before.mode !== after.mode || !Buffer.from(before.bytes).equals(Buffer.from(after.bytes));
}
