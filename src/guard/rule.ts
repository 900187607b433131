/** What a rule is, and all that it may look at. */
import type { Phase } from '../outcome.ts';
import type { Claim, PathFacts } from './claim.ts';
import type { Constitution, RuleCode } from './constitution.ts';
import type { Evidence } from './evidence.ts';

/** A call as the guard sees it: what it claims, and whether its form is right. */
export interface JudgedCall {
  readonly tool: string;
  /** True when a tool of that name exists. */
  readonly exists: boolean;
  /** Why the arguments do not fit the schema; empty when they do. */
  readonly argumentProblems: readonly string[];
  readonly claims: readonly Claim[];
  /** Phase that the call leads to; null when the transition table has none. */
  readonly nextPhase: Phase | null;
}

/** All that a rule may look at. */
export interface Case {
  readonly call: JudgedCall;
  readonly evidence: Evidence;
  readonly policy: Constitution;
  /** Facts of every path that a claim names, by its normalised path. */
  readonly facts: ReadonlyMap<string, PathFacts>;
  /** True when a text holds the value of a secret of this run. */
  readonly holdsSecret: (text: string) => boolean;
}

/** One rule: it answers with what is wrong, or null. */
export interface Rule {
  readonly code: RuleCode;
  /** Where the constitution says so. */
  readonly section: string;
  readonly judge: (c: Case) => string | null;
}
