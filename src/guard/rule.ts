/** Defines rules, and everything that a rule may use. */
import type { Phase } from '../base/outcome.ts';
import type { ClaimFacts, PathFacts } from './claim.ts';
import type { Evidence } from './evidence.ts';
import type { PathClasses } from './paths.ts';
import type { Constitution, RuleCode } from './policy/constitution.ts';

/** A tool call as the guard sees it: the facts of what it claims, and whether it is well-formed. The ledger keeps no text of it. */
export interface JudgedCall {
  readonly tool: string;
  /** True when a tool of that name exists. */
  readonly exists: boolean;
  /** Number of problems in the arguments. */
  readonly problems: number;
  readonly problemText?: string | undefined;
  /** True when the text to write contains a secret of the run. */
  readonly secret: boolean;
  readonly claims: readonly ClaimFacts[];
  /** Why the active skills do not permit its command line, if they do not. */
  readonly objection?: string | undefined;
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
