/** Defines rules, and everything that a rule may use. */
import type { Phase } from '../base/outcome.ts';
import type { Claim, PathFacts } from './claim.ts';
import type { Evidence } from './evidence.ts';
import type { PathClasses } from './paths.ts';
import type { Constitution, RuleCode } from './policy/constitution.ts';

/** A tool call as the guard sees it: what it claims, and whether it is well-formed. */
export interface JudgedCall {
  readonly tool: string;
  /** True when a tool of that name exists. */
  readonly exists: boolean;
  /** Why the arguments do not match the schema; empty when they do. */
  readonly argumentProblems: readonly string[];
  readonly claims: readonly Claim[];
  /** The phase that the call leads to; undefined when the transition table allows none. */
  readonly nextPhase: Phase | undefined;
}

/** Everything that a rule may use. */
export interface Case {
  readonly call: JudgedCall;
  readonly evidence: Evidence;
  readonly policy: Constitution;
  /** Facts about every path that a claim names, by normalised path. */
  readonly facts: ReadonlyMap<string, PathFacts>;
  /** The paths of the known ecosystems by class, for the guards of skills. */
  readonly pathClasses: PathClasses;
  /** True when a text contains the value of a secret of this run. */
  readonly holdsSecret: (text: string) => boolean;
}

/** A rule; `judge` returns what is wrong, or undefined. */
export interface Rule {
  readonly code: RuleCode;
  /** The section of the constitution that states the rule. */
  readonly section: string;
  readonly judge: (c: Case) => string | undefined;
  /** For a rule of class `violation`: true for a breach that the agent may correct. Default: none. */
  readonly isCorrectable?: (c: Case) => boolean;
}
