/** The guard: one pure function over one table of rules (fpf §3; constitution §3, §10). */
import type { RuleClass, RuleCode } from './constitution.ts';
import type { Case } from './rule.ts';
import { rules } from './rules/index.ts';

/** A refusal before anything ran: the rule by its code, what it saw, and where the law says so. */
export interface Refusal {
  readonly state: RuleClass;
  readonly code: RuleCode;
  /** Section of the constitution. */
  readonly section: string;
  readonly evidence: string;
}

/** A call that was let pass and then failed: the error is its evidence. */
export interface Degrade {
  readonly state: 'degrade';
  readonly code: 'TOOL_FAILED';
  readonly section: string;
  readonly evidence: string;
}

/** The guard's answer. */
export type Decision = { readonly state: 'pass' } | Refusal | Degrade;

/**
 * Judges one call before it runs. Violations are looked for first, since they hold whatever the
 * evidence; among equals the order of the table decides. Unknown evidence is never a pass: a rule
 * that cannot find the facts of a path answers as if they spoke against the call.
 */
export function decide(c: Case): Refusal | { readonly state: 'pass' } {
  return judgeClass(c, 'violation') ?? judgeClass(c, 'abstain') ?? { state: 'pass' };
}

/** The decision of a passed call after it ran; `error` is null when it did what it was asked. */
export function decideAfter(error: string | null): Decision {
  return error === null
    ? { state: 'pass' }
    : { state: 'degrade', code: 'TOOL_FAILED', section: 'fpf §3', evidence: error };
}

function judgeClass(c: Case, state: RuleClass): Refusal | null {
  for (const rule of rules) {
    if (c.policy.rules[rule.code] !== state) continue;
    const evidence = rule.judge(c);
    if (evidence !== null) return { state, code: rule.code, section: rule.section, evidence };
  }
  return null;
}
