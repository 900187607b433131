/** What a search of files asks for, and what it gives. */

export interface GrepQuery {
  readonly tree: string;
  /** Patterns of one line each; a line matches when any of them does. */
  readonly patterns: readonly string[];
  /** Folder to search; an empty string is the root. */
  readonly folder: string;
  readonly ignoreCase: boolean;
  /** True: the patterns are plain text; false: POSIX extended expressions. */
  readonly fixed: boolean;
  /** True: match whole words only. */
  readonly word?: boolean;
  /** Only search files whose path ends in one of these, such as `.ts`. */
  readonly endings?: readonly string[];
  /** True: a hit is one match with only its text; false: a hit is a whole line. */
  readonly matchesOnly?: boolean;
}

export interface GrepHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepAnswer {
  /** At most 200 lines per file, ordered by path. */
  readonly hits: readonly GrepHit[];
  /** True when the search stopped at its limit of bytes. */
  readonly cut: boolean;
}

/** A search of given files, without the tree that git would search. */
export type FileQuery = Omit<GrepQuery, 'tree'>;

/** Maximum lines of one file that a search reports. */
export const maxLinesPerFile = 200;
/** Maximum bytes that a search prints, with the names of the files. */
export const maxSearchBytes = 4 * 1024 * 1024;
