/** Finds the facts of a call, by which the rules judge it, and makes the trace of it that the ledger keeps. Pure. */
import * as z from 'zod';
import {
  type Claim,
  type ClaimFacts,
  claimFacts,
  count,
  list,
  type PathFacts,
  type PathState,
  pathFacts,
} from './claim.ts';
import { type Evidence, type EvidenceEvent, eventSchema, type TracedEvent } from './evidence.ts';
import { countAdded } from './patch-size.ts';
import { normalisePath } from './paths.ts';
import { commandObjection } from './policy/skill-grant.ts';
import { findRenamed } from './renames.ts';
import type { Case } from './rule.ts';
import { newSuppressions } from './suppressions.ts';

/** A call as the ledger keeps it, and the evidence that it produced. An audit must not trust the file. */
export const callTraceSchema = z.strictObject({
  exists: z.boolean(),
  /** Number of problems in the arguments. */
  problems: count,
  /** True when the text to write contains a secret of the run. */
  secret: z.boolean(),
  claims: list(claimFacts),
  facts: list(pathFacts),
  events: list(eventSchema),
});

export type CallTrace = Readonly<z.infer<typeof callTraceSchema>>;

/** What the facts of claims are found with. */
interface ClaimContext {
  /** What is known of each path that a claim names, by normalised path. */
  readonly states: ReadonlyMap<string, PathState>;
  readonly evidence: Evidence;
  readonly holdsSecret: (text: string) => boolean;
}

/** The facts of claims and of the paths that they name. */
export function findFacts(claims: readonly Claim[], context: ClaimContext) {
  const { states, evidence, holdsSecret } = context;
  const renamed = findRenamed(claims, states);
  const objections = claims.map(claim =>
    claim.kind === 'run' ? commandObjection(claim.commands, evidence) : undefined,
  );
  const findClaim = (claim: Claim, i: number): ClaimFacts => {
    if (claim.kind === 'run') return { kind: 'run', permitted: objections[i] === undefined };
    if (claim.kind !== 'write') return claim;
    const { added, ranges, ...rest } = claim;
    const path = normalisePath(claim.path) ?? '';
    return {
      ...rest,
      // an edit may carry its text
      ranges: ranges.map(({ startLine, endLine, moved }) => ({ startLine, endLine, moved })),
      lines: countAdded(added),
      from: renamed.get(path),
      suppresses: newSuppressions(claim, states.get(path)?.lines ?? []),
    };
  };
  const facts = [...states].map(([path, { lines, ...rest }]): [string, PathFacts] => [
    path,
    { ...rest, lines: lines.length },
  ]);
  return {
    claims: claims.map(findClaim),
    facts: new Map(facts),
    secret: claims.some(c => c.kind === 'write' && (holdsSecret(c.added) || holdsSecret(c.path))),
    objection: objections.find(objection => objection !== undefined),
  };
}

/** The trace of a judged call; `events` are those of its result, or none when it did not run. */
export function traceCase({ call, facts }: Case, events: readonly EvidenceEvent[]): CallTrace {
  const { exists, problems, secret, claims } = call;
  const paths = [...facts].map(([path, { nearest: _nearest, ...known }]) => ({ path, ...known }));
  return { exists, problems, secret, claims, facts: paths, events: events.map(traceEvent) };
}

function traceEvent(event: EvidenceEvent): TracedEvent {
  if (!('text' in event)) return event;
  const { text: _text, ...kept } = event;
  return kept;
}
