/** The trace of a judged call in the ledger: names and numbers, no text. An audit validates it, and judges the call again. */
import * as z from 'zod';
import type { Claim, LineRange, PathFacts } from './claim.ts';
import type { EvidenceEvent, KnownLines } from './evidence.ts';
import { countAdded } from './patch-size.ts';
import { normalisePath } from './paths.ts';
import {
  budgetsSchema,
  commandObjection,
  commandPrefixSchema,
  guardsSchema,
} from './policy/skill-grant.ts';
import { toLineRanges } from './read-lines.ts';
import type { Case, JudgedCall } from './rule.ts';
import { newSuppressions } from './suppressions.ts';

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
    /** True for a change of nothing but comments. */
    comments: z.literal(true).optional(),
    /** True for a call that only shows the change. */
    preview: z.boolean().optional(),
    /** The path that the file had, when the call renames it. */
    from: path.optional(),
    /** Names of the markers it adds that silence a check. */
    suppresses: z.array(z.string()).optional(),
  }),
  z.strictObject({ kind: z.literal('undo') }),
  z.strictObject({ kind: z.literal('redirect'), path }),
  z.strictObject({ kind: z.literal('print'), path }),
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
  z.strictObject({ kind: z.literal('commit'), answers: z.literal(true).optional() }),
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
  leadsTo: z.string().optional(),
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
  z.strictObject({ kind: z.literal('seen'), files: paths }),
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

/** A call as the ledger keeps it, and the evidence that it produced. An audit must not trust the file. */
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

/** The trace of a judged call; `events` are those of its result, or none when it did not run. */
export function traceCase(c: Case, events: readonly EvidenceEvent[]): CallTrace {
  const { call, facts } = c;
  const writes = call.claims.filter(claim => claim.kind === 'write');
  return {
    exists: call.exists,
    problems: call.argumentProblems.length,
    secret: writes.some(w => c.holdsSecret(w.added) || c.holdsSecret(w.path)),
    claims: call.claims.map(claim => traceClaim(claim, c)),
    facts: [...facts].map(([at, known]) => ({
      path: at,
      kind: known.kind,
      tracked: known.tracked,
      lines: known.lines.length,
      through: known.through,
      leadsTo: known.leadsTo,
      converted: known.converted,
    })),
    events: events.map(traceEvent),
  };
}

function traceClaim(claim: Claim, { facts, evidence }: Case): CallTrace['claims'][number] {
  switch (claim.kind) {
    case 'skill-file':
      return { ...claim, range: claim.range && toPair(claim.range) };
    case 'read':
      return { kind: 'read', path: claim.path, range: claim.range && toPair(claim.range) };
    case 'write': {
      const lines = facts.get(normalisePath(claim.path) ?? '')?.lines ?? [];
      const suppresses = newSuppressions(claim, lines);
      return {
        kind: 'write',
        path: claim.path,
        change: claim.change,
        ranges: toPairs(claim.ranges),
        moved: findIndexes(claim.ranges, r => r.moved !== undefined),
        lines: countAdded(claim.added),
        from: claim.from,
        comments: claim.comments,
        preview: claim.preview,
        suppresses: suppresses.length === 0 ? undefined : [...suppresses],
      };
    }
    case 'run': {
      const objection = commandObjection(claim.commands, evidence);
      return { kind: 'run', permitted: objection === undefined };
    }
    default:
      return claim;
  }
}

/** An evidence event without the text of any line. */
export function traceEvent(event: EvidenceEvent): TracedEvent {
  switch (event.kind) {
    case 'planned': {
      const { entrySymbols, affectedFiles, maxChangedLines } = event.plan;
      return { kind: 'planned', entrySymbols: entrySymbols.length, affectedFiles, maxChangedLines };
    }
    case 'read':
    case 'shown':
      return { ...event, lines: toPairs(toLineRanges(event.lines.keys())) };
    case 'printed':
      return { ...event, lines: toPairs(toLineRanges(event.lines)) };
    case 'patched': {
      const { patchDigest, patchedFiles, renames, changedLines } = event;
      const known = [...event.known].map(([at, lines]) => ({
        path: at,
        lines: lines === undefined ? null : toPairs(toLineRanges(lines.keys())),
      }));
      return { kind: 'patched', known, patchDigest, patchedFiles, renames, changedLines };
    }
    case 'forgotten':
      return { ...event, lines: toPairs(event.lines) };
    case 'verified':
      return { kind: 'verified', ...event.verified };
    case 'navigated':
    case 'seen':
    case 'permitted':
    case 'unresolved':
    case 'resolved':
      return event;
  }
}

/** Rebuilds the case of a trace. Its lines have no text: only whether a line is known counts. */
export function caseOfTrace(
  trace: CallTrace,
  call: Pick<JudgedCall, 'tool' | 'nextPhase'>,
  context: Pick<Case, 'evidence' | 'policy' | 'pathClasses'>,
): Case {
  const facts = trace.facts.map(({ path: at, lines, ...rest }): [string, PathFacts] => [
    at,
    { ...rest, lines: Array<string>(lines).fill('') },
  ]);
  return {
    call: {
      ...call,
      exists: trace.exists,
      argumentProblems: Array<string>(trace.problems).fill('a problem'),
      claims: trace.claims.map(claimOfTrace),
    },
    ...context,
    facts: new Map(facts),
    holdsSecret: () => trace.secret,
  };
}

function claimOfTrace(claim: CallTrace['claims'][number]): Claim {
  switch (claim.kind) {
    case 'write': {
      const { kind, path: at, change, from, comments, preview } = claim;
      // all markers go on the first line, so that the number of lines stays right
      const first = claim.suppresses?.join(' ') ?? 'x';
      const rest = Array<string>(Math.max(0, claim.lines - 1)).fill('x');
      const added = claim.lines === 0 ? '' : [first, ...rest].join('\n');
      const ranges = claim.ranges.map((r, i) => ({
        ...lineRange(r),
        moved: claim.moved?.includes(i) ? [] : undefined,
      }));
      return { kind, path: at, change, ranges, added, from, comments, preview };
    }
    case 'run':
      return { kind: 'run', commands: claim.permitted ? [] : undefined };
    case 'skill-file':
    case 'read':
      return { ...claim, range: claim.range && lineRange(claim.range) };
    default:
      return claim;
  }
}

/** Rebuilds the event of a trace. */
export function eventOfTrace(event: TracedEvent): EvidenceEvent {
  switch (event.kind) {
    case 'planned':
      return {
        kind: 'planned',
        plan: {
          entrySymbols: Array<string>(event.entrySymbols).fill(''),
          affectedFiles: event.affectedFiles,
          scope: '',
          maxChangedLines: event.maxChangedLines,
        },
      };
    case 'read':
    case 'shown':
      return { ...event, lines: toKnownLines(event.lines) };
    case 'printed':
      return { ...event, lines: [...toKnownLines(event.lines).keys()] };
    case 'patched':
      return {
        ...event,
        known: new Map(event.known.map(k => [k.path, k.lines ? toKnownLines(k.lines) : undefined])),
      };
    case 'forgotten':
      return { ...event, lines: event.lines.map(lineRange) };
    case 'verified': {
      const { kind, ...verified } = event;
      return { kind, verified };
    }
    default:
      return event;
  }
}

/** Where in a list something is true; undefined where it is nowhere. */
function findIndexes<T>(items: readonly T[], is: (item: T) => boolean): number[] | undefined {
  const found = items.flatMap((item, i) => (is(item) ? [i] : []));
  return found.length === 0 ? undefined : found;
}

const toPair = ({ startLine, endLine }: LineRange): [number, number] => [startLine, endLine];

const toPairs = (ranges: readonly LineRange[]) => ranges.map(toPair);

function toKnownLines(found: readonly (readonly [number, number])[]): KnownLines {
  const lines = new Map<number, string>();
  for (const [start, end] of found) for (let line = start; line <= end; line++) lines.set(line, '');
  return lines;
}

function lineRange([startLine, endLine]: readonly [number, number]): LineRange {
  return { startLine, endLine };
}
