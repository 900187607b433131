/** A canary: a copy of a test file with further cases that must fail, whatever the program does. */

/** The words of a test command, and one of its test files. */
export interface CanaryPlace {
  readonly words: readonly string[];
  readonly path: string;
  readonly text: string;
  /** A word of lower-case letters and digits that no patch can know: it is part of every name. */
  readonly token: string;
}

export interface Canary {
  /** The copy, beside its original. */
  readonly path: string;
  readonly text: string;
  /** The words that run the copy alone. */
  readonly words: readonly string[];
  /** The words that run the original alone. */
  readonly original: readonly string[];
  /** Parts of the names of the cases, which are in no other name. Each fails unless an assertion or the runner was changed. */
  readonly assertions: readonly string[];
  /** The same, of the case that fails unless a built-in function was replaced. */
  readonly builtins: string;
}

/** A path beside `path`, with a name that the patterns of runners match as they match the original. */
export function besidePath(path: string, token: string): string {
  return path.replace(/(test_)?([^/]*)$/, (_whole, test = '', rest) => `${test}${token}_${rest}`);
}
