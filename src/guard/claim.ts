/** What a tool call would read, write or run: stated by the tool, judged by the rules. */

export interface LineRange {
  readonly startLine: number;
  /** Last line, inclusive; `startLine - 1` for a place between lines. */
  readonly endLine: number;
}

export type Claim =
  | { readonly kind: 'navigate'; readonly path: string }
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly range?: LineRange;
      readonly symbol?: string;
    }
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly change: 'edit' | 'replace' | 'delete';
      /** Lines that an edit replaces; empty for the other changes. */
      readonly ranges: readonly LineRange[];
      /** Text that the change brings in. */
      readonly added: string;
    }
  | { readonly kind: 'undo' }
  /** A file that a command says it would write. */
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'run'; readonly line: string }
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
      readonly range: LineRange;
    }
  | { readonly kind: 'commit' }
  | {
      readonly kind: 'clarify';
      /** The three reasons of constitution §9. */
      readonly reason: 'destructive_paths' | 'unresolved_symbol' | 'conflicting_constraints';
      readonly symbol?: string;
      readonly choices: number;
    };

/** What the session knows of a path that a claim names. */
export interface PathFacts {
  readonly kind: 'file' | 'missing' | 'folder' | 'link' | 'submodule' | 'binary';
  /** Nearest part of the path that is a link or submodule, when one is on the way. */
  readonly through?: string;
  /** True for a file of the base commit or of the patch. */
  readonly tracked: boolean;
  /** Text of each line as it stands, first line first. */
  readonly lines: readonly string[];
}
