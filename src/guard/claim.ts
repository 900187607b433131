/** Defines claims: what a tool call would read, write or run. Tools state them, rules judge them. */
import type { NamedConstraint } from './policy/named-constraint.ts';

export interface LineRange {
  readonly startLine: number;
  /** Last line, inclusive; `startLine - 1` for an insertion between lines. */
  readonly endLine: number;
}

/** The lines that an edit replaces, in the numbers of the file now. */
export interface EditRange extends LineRange {
  /** Set when it is not certain which lines are meant: the lines that may be, in the numbers now. */
  readonly moved?: readonly LineRange[] | undefined;
}

export type Claim =
  | { readonly kind: 'navigate'; readonly path: string }
  | {
      readonly kind: 'read';
      readonly path: string;
      /** Absent: the lines of the symbol, or the first page of the file; both are cut at the limit. */
      readonly range?: LineRange;
      readonly symbol?: string;
    }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly change: 'edit' | 'replace' | 'delete';
      /** Lines that an edit replaces; empty for the other changes. */
      readonly ranges: readonly EditRange[];
      /** Text that the change adds. */
      readonly added: string;
      /** True for a change of nothing but comments, which is one of documentation. */
      readonly comments?: true | undefined;
      /** True for a call that only shows the change. */
      readonly preview?: boolean | undefined;
      /** The path that the file had, when the same call deletes it there. Found by the guard. */
      readonly from?: string;
    }
  | { readonly kind: 'undo' }
  /** A file that a command line would write. */
  | { readonly kind: 'redirect'; readonly path: string }
  /** A file or pattern whose text a command line would print; empty for files that no word of it names. */
  | { readonly kind: 'print'; readonly path: string }
  | {
      readonly kind: 'run';
      /** The words of each simple command; undefined when an expansion decides some of them. */
      readonly commands: readonly (readonly string[])[] | undefined;
    }
  | { readonly kind: 'skill'; readonly name: string }
  | {
      readonly kind: 'plan';
      readonly files: readonly string[];
      readonly maxChangedLines: number;
    }
  /** A file in the folder of a skill; `file` is relative to that folder. */
  | {
      readonly kind: 'skill-file';
      readonly skill: string;
      readonly file: string;
      /** Absent: its first page. */
      readonly range?: LineRange;
    }
  /** The end of a run; `answers` for one that gives an answer. */
  | { readonly kind: 'commit'; readonly answers?: true | undefined }
  /** A note or report that lasts longer than the run's own memory. */
  | { readonly kind: 'note' }
  | {
      readonly kind: 'clarify';
      /** The three reasons that the constitution allows (§9). */
      readonly reason: 'destructive_paths' | 'unresolved_symbol' | 'conflicting_constraints';
      readonly symbol?: string;
      /** For each choice, the files that it destroys. */
      readonly destroys: readonly (readonly string[])[];
      readonly constraints: readonly NamedConstraint[];
    }
  /** A file that a choice of a question would delete or overwrite. */
  | { readonly kind: 'destroy'; readonly path: string };

/** What the session knows about a path that a claim names. */
export interface PathFacts {
  readonly kind: 'file' | 'missing' | 'folder' | 'link' | 'submodule' | 'binary';
  /** Nearest part of the path that is a link or submodule, when there is one. */
  readonly through?: string;
  /** For a link, or a path through one: where it leads inside the repository; absent if it leads outside or in a circle. */
  readonly leadsTo?: string | undefined;
  /** What git does with the file between commit and checkout, such as `filter=lfs`; looked up for changes and plans. */
  readonly converted?: string;
  /** True for a file of the base commit or of the patch. */
  readonly tracked: boolean;
  /** Current text of each line, first line first. */
  readonly lines: readonly string[];
  /** For a missing file: existing paths that resemble it most, best first. */
  readonly nearest?: readonly string[] | undefined;
}
