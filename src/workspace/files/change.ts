/** The state of a file as git stores it, and a change from one state to another. */

/** Git's modes: regular file, executable file, symbolic link, submodule. */
export type FileMode = '100644' | '100755' | '120000' | '160000';

export interface FileState {
  readonly mode: FileMode;
  readonly bytes: Uint8Array;
}

/** One path before and after; `undefined` means that the file does not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/** What became of a file. */
export function changeKind({ before, after }: { before?: unknown; after?: unknown }) {
  if (before === undefined) return 'added';
  return after === undefined ? 'deleted' : 'modified';
}

/** True when mode or bytes differ, or only one side exists. */
export function differs({ before, after }: Pick<FileChange, 'before' | 'after'>): boolean {
  if (before === undefined || after === undefined) return before !== after;
  return before.mode !== after.mode || !Buffer.from(before.bytes).equals(Buffer.from(after.bytes));
}

/** What becomes of the mode of a file, as the end of a line about it; empty if it stays or is the usual one. */
export function describeMode({ before, after }: Pick<FileChange, 'before' | 'after'>): string {
  if (after === undefined || before?.mode === after.mode) return '';
  const words = {
    100644: ', no longer executable',
    100755: ', now executable',
    120000: ', now a link',
    160000: ', now a submodule',
  };
  return before === undefined ? (after.mode === '100755' ? ', executable' : '') : words[after.mode];
}

/** What of a state no patch of text can hold, in words; undefined for text. */
export function nameUnheld(state: FileState, isBinary: boolean): string | undefined {
  if (state.mode === '120000') return 'a symbolic link';
  if (state.mode === '160000') return 'a submodule';
  return isBinary ? 'a binary file' : undefined;
}

/** The first lines that generators write, such as those of Go's and Meta's conventions. */
const generatedHead =
  /@generated\b|\b(?:auto-?generated|generated (?:by|from|file|code))\b|\bdo not edit\b/i;

/** True for a file that says at its beginning that a program wrote it. */
export function isGenerated(state: FileState | undefined): boolean {
  return generatedHead.test(Buffer.from(state?.bytes.subarray(0, 1000) ?? []).toString('utf8'));
}
