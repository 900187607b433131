/** What the tests show of a patch, line by line, as data (docs/proof.md). */

/**
 * What the tests show of one changed line. `decided`: a test fails if the line is changed or left out. `executed`: a
 * test runs it, and no change of it was noticed. `unexecuted`: no test runs it. `unknown`: it cannot be told.
 */
export const lineProofs = ['decided', 'executed', 'unexecuted', 'unknown'] as const;
export type LineProof = (typeof lineProofs)[number];

/** Lines of a file with the patch, counted from 1, both included. */
export interface ProvenLines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A small change of the patch with which every test still passes. */
export interface SurvivingMutant {
  readonly path: string;
  /** 1-based, in the file with the patch. */
  readonly line: number;
  /** Its kind, such as `another comparison operator`. */
  readonly kind: string;
  /** The changed part of the line, without and with the change; at most 200 characters each. */
  readonly before: string;
  readonly after: string;
}

/** Parts of a verified patch that no test needs, and that the delivered patch does not have. */
export interface LeftOut {
  /** In lines of the patch that had them. */
  readonly places: readonly ProvenLines[];
  /** What turns the delivered patch into the one that had them; at most 20,000 characters. */
  readonly diff: string;
  /** Digest of the patch that had them, which was verified, too. */
  readonly patchDigest: string;
}

/** What the tests show of a patch that passes them. */
export interface PatchProof {
  /** How many changed lines with code there are of each kind, outside of tests. */
  readonly counts: Readonly<Record<LineProof, number>>;
  /** The same lines in order; at most 500 ranges. */
  readonly lines: readonly (ProvenLines & { readonly shows: LineProof })[];
  /** Test cases that passed and failed on the same files; they decide nothing. At most 100. */
  readonly flaky: readonly string[];
  readonly hunks: {
    readonly total: number;
    /** How many of them were left out to see whether a test notices. */
    readonly tried: number;
    /** Those without which every test passes. A hunk that only removes lines has an empty range. */
    readonly notNeeded: readonly ProvenLines[];
  };
  readonly mutants: { readonly tried: number; readonly survived: readonly SurvivingMutant[] };
  /** Test cases that the patch adds, and whether they fail without the rest of it. At most 100. */
  readonly newTests: readonly { readonly id: string; readonly failsOnBase: boolean }[];
  readonly durationMs: number;
  /** The commit that it was measured on, if the base moved afterwards: only the tests ran again on the newer base. */
  readonly earlierBase?: string;
  /** Why something was not looked at; empty if everything was. */
  readonly cut: string;
}
