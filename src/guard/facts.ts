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
  type WriteClaim,
} from './claim.ts';
import { type Evidence, type EvidenceEvent, eventSchema, type TracedEvent } from './evidence.ts';
import { countAdded } from './patch-size.ts';
import { normalisePath } from './paths.ts';
import { commandObjection } from './policy/skill-grant.ts';
import { findRenamed } from './renames.ts';
import type { Case } from './rule.ts';

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

/** Name and pattern of each marker that silences a check or skips a test. */
const markers: readonly (readonly [string, RegExp])[] = [
  ['eslint-disable', /\b(eslint|oxlint|jshint|tslint:|stylelint)-?(disable|ignore)/],
  ['biome-ignore', /\bbiome-ignore|\bprettier-ignore|\bdeno-lint-ignore/],
  ['@ts-ignore', /@ts-(ignore|nocheck|expect-error)\b/],
  ['as any', /\bas\s+any\b|<any>|:\s*any\b/],
  ['# noqa', /#\s*(noqa|type:\s*ignore|pyright:\s*ignore|mypy:\s*ignore|pragma:\s*no cover)/],
  ['pylint: disable', /\b(pylint|ruff|flake8|rubocop|yamllint|shellcheck)\s*(?::\s*)?disable/],
  ['// nolint', /\/\/\s*nolint\b|#nosec\b|\bnosemgrep\b|\bNOSONAR\b/],
  ['noinspection', /\bnoinspection\b|@SuppressWarnings\b|@Suppress\b/],
  ['#[allow(', /#!?\[(allow|expect)\(/],
  ['istanbul ignore', /\b(istanbul|c8|v8|coverage|codecov)[\s:]+ignore/],
  ['test.skip(', /\b(it|test|describe|suite|context)\.(skip|todo|only|failing|fixme)\b/],
  ['xit(', /\b(xit|xtest|xdescribe|fit|fdescribe)\s*\(/],
  ['pytest.mark.skip', /\bpytest\.(mark\.)?(skip|xfail)|\bunittest\.(skip|expectedFailure)/],
  ['@Disabled', /@(Disabled|Ignore)\b/],
  ['t.Skip(', /\bt\.Skip(f|Now)?\(|#\[ignore\]/],
];

/** Names of the markers that a change adds: those that occur more often than in the replaced lines; undefined for none. */
function newSuppressions(
  claim: WriteClaim,
  lines: readonly string[],
): readonly string[] | undefined {
  if (claim.added === '') return undefined;
  const before =
    claim.change === 'edit'
      ? claim.ranges.flatMap(r => lines.slice(Math.max(0, r.startLine - 1), r.endLine))
      : lines;
  const had = before.join('\n');
  const found = markers.filter(
    ([, pattern]) => occurrences(claim.added, pattern) > occurrences(had, pattern),
  );
  return found.length === 0 ? undefined : found.map(([name]) => name);
}

function occurrences(text: string, pattern: RegExp): number {
  return text.match(new RegExp(pattern, 'g'))?.length ?? 0;
}
