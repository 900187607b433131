/** Validates the trace of a call from a ledger that is audited; loaded only for audits. */
import * as z from 'zod';
import { budgetsSchema, commandPrefixSchema, guardsSchema } from './policy/skill-grant.ts';

const count = z.int().min(0);
const range = z.tuple([z.int(), z.int()]);
const ranges = z.array(range);
const path = z.string();
const paths = z.array(path).readonly();

const claimSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('navigate'), path }),
  z.strictObject({ kind: z.literal('read'), path, range: range.optional() }),
  z.strictObject({
    kind: z.literal('write'),
    path,
    change: z.enum(['edit', 'replace', 'delete']),
    ranges,
    /** Indexes of the ranges whose numbers no longer mean what was shown under them. */
    moved: z.array(count).optional(),
    /** Number of lines that the change adds. */
    lines: count,
    /** True for a call that only shows the change. */
    preview: z.boolean().optional(),
    /** The path that the file had, when the call renames it. */
    from: path.optional(),
    /** Names of the markers it adds that silence a check. */
    suppresses: z.array(z.string()).optional(),
  }),
  z.strictObject({ kind: z.literal('undo') }),
  z.strictObject({ kind: z.literal('redirect'), path }),
  z.strictObject({
    kind: z.literal('run'),
    /** False for a command line that the active skills do not permit. */
    permitted: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('skill'), name: z.string() }),
  z.strictObject({ kind: z.literal('plan'), files: paths, maxChangedLines: count }),
  z.strictObject({
    kind: z.literal('skill-file'),
    skill: z.string(),
    file: path,
    range: range.optional(),
  }),
  z.strictObject({ kind: z.literal('commit') }),
  z.strictObject({ kind: z.literal('note') }),
  z.strictObject({
    kind: z.literal('clarify'),
    reason: z.enum(['destructive_paths', 'unresolved_symbol', 'conflicting_constraints']),
    symbol: z.string().optional(),
    destroys: z.array(paths).readonly(),
    constraints: z
      .array(
        z.union([
          z.strictObject({ name: z.string() }),
          z.strictObject({ skill: z.string(), quote: z.string() }),
        ]),
      )
      .readonly(),
  }),
  z.strictObject({ kind: z.literal('destroy'), path }),
]);

/** An active skill; strict, since an audit must not trust the file. */
export const grantSchema = z.strictObject({
  name: z.string(),
  tools: z.array(z.string()).readonly(),
  commands: z.array(commandPrefixSchema).readonly().optional(),
  guards: guardsSchema,
  budgets: budgetsSchema,
  constraints: z.array(z.string()).readonly().optional(),
});

const factsSchema = z.strictObject({
  path,
  kind: z.enum(['file', 'missing', 'folder', 'link', 'submodule', 'binary']),
  through: z.string().optional(),
  converted: z.string().optional(),
  tracked: z.boolean(),
  lines: count,
});

/** Evidence that a call added, or that the engine recorded itself. */
export const eventSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('planned'),
    entrySymbols: count,
    affectedFiles: paths,
    maxChangedLines: count,
  }),
  z.strictObject({
    kind: z.literal('navigated'),
    files: paths,
    folders: paths,
    outlined: paths.optional(),
  }),
  z.strictObject({ kind: z.literal('unresolved'), name: z.string() }),
  z.strictObject({ kind: z.literal('resolved'), name: z.string() }),
  z.strictObject({ kind: z.literal('read'), path, lines: ranges }),
  z.strictObject({ kind: z.literal('printed'), path, lines: ranges }),
  z.strictObject({ kind: z.literal('shown'), path, lines: ranges }),
  z.strictObject({
    kind: z.literal('patched'),
    known: z.array(z.strictObject({ path, lines: ranges.nullable() })),
    patchDigest: z.string(),
    patchedFiles: paths,
    renames: z
      .array(z.strictObject({ from: path, to: path }))
      .readonly()
      .optional(),
    changedLines: count,
  }),
  z.strictObject({ kind: z.literal('forgotten'), path, lines: ranges }),
  z.strictObject({
    kind: z.literal('verified'),
    patchDigest: z.string(),
    passed: z.boolean(),
    testsChanged: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('permitted'),
    tools: z.array(z.string()).readonly(),
    skills: z.array(grantSchema).readonly(),
  }),
]);

/** A call as the ledger keeps it, and the evidence that it produced. */
export const callTraceSchema = z.strictObject({
  exists: z.boolean(),
  /** Number of problems in the arguments. */
  problems: count,
  /** True when the text to write contains a secret of the run. */
  secret: z.boolean(),
  claims: z.array(claimSchema),
  facts: z.array(factsSchema),
  events: z.array(eventSchema),
});

export type CallTrace = z.infer<typeof callTraceSchema>;
export type TracedEvent = z.infer<typeof eventSchema>;
