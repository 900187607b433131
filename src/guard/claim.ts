/** Defines claims: what a tool call would read, write or run. Tools state them, and rules judge their facts. */
import * as z from 'zod';

/** A number of things. */
export const count = z.int().min(0);
/** A list as the ledger keeps it. */
export const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
const path = z.string();
export const paths = list(path);

export const lineRange = z.strictObject({
  startLine: z.int(),
  /** Last line, inclusive; `startLine - 1` for an insertion between lines. */
  endLine: z.int(),
});

export type LineRange = Readonly<z.infer<typeof lineRange>>;

const editRange = lineRange.extend({
  /** Set when it is not certain which lines are meant: the lines that may be, in the numbers now. */
  moved: list(lineRange).optional(),
});

/** The lines that an edit replaces, in the numbers of the file now. */
export type EditRange = Readonly<z.infer<typeof editRange>>;

/** The facts of a claim: names and numbers, and no text. */
export const claimFacts = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('navigate'), path }),
  z.strictObject({
    kind: z.literal('read'),
    path,
    /** Absent: the lines of a symbol, or the first page of the file; both are cut at the limit. */
    range: lineRange.optional(),
  }),
  z.strictObject({
    kind: z.literal('write'),
    path,
    change: z.enum(['edit', 'replace', 'delete']),
    /** Lines that an edit replaces; empty for the other changes. */
    ranges: list(editRange),
    /** Number of lines that the change adds. */
    lines: count,
    /** True for a change of nothing but comments, which is one of documentation. */
    comments: z.literal(true).optional(),
    /** True for a call that only shows the change. */
    preview: z.boolean().optional(),
    /** The path that the file had, when the same call deletes it there. */
    from: path.optional(),
    /** Names of the markers it adds that silence a check; absent without any. */
    suppresses: list(z.string()).optional(),
  }),
  z.strictObject({ kind: z.literal('undo') }),
  /** A file that a command line would write. */
  z.strictObject({ kind: z.literal('redirect'), path }),
  /** A file or pattern whose text a command line would print; empty for files that no word of it names. */
  z.strictObject({ kind: z.literal('print'), path }),
  z.strictObject({
    kind: z.literal('run'),
    /** False for a command line that the active skills do not permit. */
    permitted: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('skill'), name: z.string() }),
  z.strictObject({ kind: z.literal('plan'), files: paths, maxChangedLines: count }),
  /** A file in the folder of a skill; `file` is relative to that folder. */
  z.strictObject({
    kind: z.literal('skill-file'),
    skill: z.string(),
    file: path,
    /** Absent: its first page. */
    range: lineRange.optional(),
  }),
  /** The end of a run; `answers` for one that gives an answer. */
  z.strictObject({ kind: z.literal('commit'), answers: z.literal(true).optional() }),
  /** A note or report that lasts longer than the run's own memory. */
  z.strictObject({ kind: z.literal('note') }),
  z.strictObject({
    kind: z.literal('clarify'),
    /** The three reasons that the constitution allows (§9). */
    reason: z.enum(['destructive_paths', 'unresolved_symbol', 'conflicting_constraints']),
    symbol: z.string().optional(),
    /** For each choice, the files that it destroys. */
    destroys: list(paths),
    constraints: list(
      z.union([
        z.strictObject({ name: z.string() }),
        z.strictObject({ skill: z.string(), quote: z.string() }),
      ]),
    ),
  }),
  /** A file that a choice of a question would delete or overwrite. */
  z.strictObject({ kind: z.literal('destroy'), path }),
]);

export type ClaimFacts = Readonly<z.infer<typeof claimFacts>>;
export type WriteFacts = Extract<ClaimFacts, { kind: 'write' }>;

/** A change with the text that it adds. */
export interface WriteClaim extends Omit<WriteFacts, 'lines' | 'from' | 'suppresses'> {
  readonly added: string;
}

/** What a tool states; its facts are found from it. */
export type Claim =
  | Exclude<ClaimFacts, { kind: 'write' | 'run' }>
  | WriteClaim
  | {
      readonly kind: 'run';
      /** The words of each simple command; undefined when an expansion decides some of them. */
      readonly commands: readonly (readonly string[])[] | undefined;
    };

/** The facts of a path that a claim names. */
export const pathFacts = z.strictObject({
  path,
  kind: z.enum(['file', 'missing', 'folder', 'link', 'submodule', 'binary']),
  /** Nearest part of the path that is a link or submodule, when there is one. */
  through: path.optional(),
  /** For a link, or a path through one: where it leads inside the repository; absent if it leads outside or in a circle. */
  leadsTo: path.optional(),
  /** What git does with the file between commit and checkout, such as `filter=lfs`; looked up for changes and plans. */
  converted: z.string().optional(),
  /** True for a file of the base commit or of the patch. */
  tracked: z.boolean(),
  /** Number of its lines now. */
  lines: count,
});

export interface PathFacts extends Readonly<Omit<z.infer<typeof pathFacts>, 'path'>> {
  /** For a missing file: existing paths that resemble it most, best first. The ledger does not keep them. */
  readonly nearest?: readonly string[] | undefined;
}

/** What the session knows about a path: its facts, and the text of each line. */
export interface PathState extends Omit<PathFacts, 'lines'> {
  readonly lines: readonly string[];
}
