/** Converts a judged call to a ledger trace (names and numbers, no text) and back, so that an audit can judge it again. */
import type { Claim, LineRange, PathFacts } from './claim.ts';
import type { EvidenceEvent, KnownLines } from './evidence.ts';
import { countAdded } from './patch-size.ts';
import { normalisePath } from './paths.ts';
import { commandObjection } from './policy/skill-grant.ts';
import { toLineRanges } from './read-lines.ts';
import type { Case, JudgedCall } from './rule.ts';
import { newSuppressions } from './suppressions.ts';
import type { CallTrace, TracedEvent } from './trace-schema.ts';

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
      converted: known.converted,
    })),
    events: events.map(traceEvent),
  };
}

function traceClaim(claim: Claim, { facts, evidence }: Case): CallTrace['claims'][number] {
  switch (claim.kind) {
    case 'skill-file': {
      const { range: r, ...rest } = claim;
      return r === undefined ? rest : { ...rest, range: [r.startLine, r.endLine] };
    }
    case 'read': {
      const { kind, path: at, range: r } = claim;
      return r === undefined
        ? { kind, path: at }
        : { kind, path: at, range: [r.startLine, r.endLine] };
    }
    case 'write': {
      const lines = facts.get(normalisePath(claim.path) ?? '')?.lines ?? [];
      const suppresses = newSuppressions(claim, lines);
      return {
        kind: 'write',
        path: claim.path,
        change: claim.change,
        ranges: claim.ranges.map(r => [r.startLine, r.endLine]),
        moved: findIndexes(claim.ranges, r => r.moved !== undefined),
        lines: countAdded(claim.added),
        from: claim.from,
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
      return {
        kind: event.kind,
        path: event.path,
        lines: toPairs(toLineRanges(event.lines.keys())),
      };
    case 'printed':
      return { kind: 'printed', path: event.path, lines: toPairs(toLineRanges(event.lines)) };
    case 'patched': {
      const { patchDigest, patchedFiles, renames, changedLines } = event;
      const known = [...event.known].map(([at, lines]) => ({
        path: at,
        lines: lines === undefined ? null : toPairs(toLineRanges(lines.keys())),
      }));
      return { kind: 'patched', known, patchDigest, patchedFiles, renames, changedLines };
    }
    case 'forgotten':
      return { kind: 'forgotten', path: event.path, lines: toPairs(event.lines) };
    case 'verified':
      return { kind: 'verified', ...event.verified };
    case 'navigated':
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
  const facts = trace.facts.map(
    ({ path: at, kind, through, converted, tracked, lines }): [string, PathFacts] => [
      at,
      {
        kind,
        tracked,
        lines: Array<string>(lines).fill(''),
        through,
        converted,
      },
    ],
  );
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
    case 'read':
      return {
        kind: 'read',
        path: claim.path,
        range: claim.range === undefined ? undefined : lineRange(claim.range),
      };
    case 'write': {
      const { kind, path: at, change, from, preview } = claim;
      // all markers go on the first line, so that the number of lines stays right
      const first = claim.suppresses?.join(' ') ?? 'x';
      const rest = Array<string>(Math.max(0, claim.lines - 1)).fill('x');
      const added = claim.lines === 0 ? '' : [first, ...rest].join('\n');
      const ranges = claim.ranges.map((r, i) => ({
        ...lineRange(r),
        moved: claim.moved?.includes(i) ? [] : undefined,
      }));
      return { kind, path: at, change, ranges, added, from, preview };
    }
    case 'run':
      return { kind: 'run', commands: claim.permitted ? [] : undefined };
    case 'skill-file': {
      const { range: r, ...rest } = claim;
      return r === undefined ? rest : { ...rest, range: lineRange(r) };
    }
    case 'clarify': {
      const { symbol, ...rest } = claim;
      return symbol === undefined ? rest : { ...rest, symbol };
    }
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
      return { kind: event.kind, path: event.path, lines: toKnownLines(event.lines) };
    case 'printed':
      return { kind: 'printed', path: event.path, lines: [...toKnownLines(event.lines).keys()] };
    case 'patched':
      return {
        ...event,
        known: new Map(
          event.known.map(
            k => [k.path, k.lines === null ? undefined : toKnownLines(k.lines)] as const,
          ),
        ),
      };
    case 'forgotten':
      return { kind: 'forgotten', path: event.path, lines: event.lines.map(lineRange) };
    case 'verified': {
      const { patchDigest, passed, testsChanged } = event;
      return { kind: 'verified', verified: { patchDigest, passed, testsChanged } };
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

function toPairs(ranges: readonly LineRange[]): [number, number][] {
  return ranges.map(r => [r.startLine, r.endLine]);
}

function toKnownLines(found: readonly (readonly [number, number])[]): KnownLines {
  const lines = new Map<number, string>();
  for (const [start, end] of found) for (let line = start; line <= end; line++) lines.set(line, '');
  return lines;
}

function lineRange([startLine, endLine]: readonly [number, number]): LineRange {
  return { startLine, endLine };
}
