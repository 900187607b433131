/** Decides whether a tool call may run, by the table of rules, under the policy of the folders that it touches. */
import type { Severity } from '../base/outcome.ts';
import type { ClaimFacts } from './claim.ts';
import type { Evidence } from './evidence.ts';
import { normalisePath } from './paths.ts';
import {
  type Constitution,
  policyFor,
  type RuleClass,
  type RuleCode,
} from './policy/constitution.ts';
import type { Case } from './rule.ts';
import { rules } from './rules/index.ts';

/** A refusal before the call ran: the code of the rule, what it found, and the section of the constitution. */
export interface Refusal {
  readonly state: 'abstain';
  /** `abort` for a rule of class `violation`, unless the breach can be corrected; else `correct`. */
  readonly severity: Severity;
  readonly code: RuleCode;
  /** Section of the constitution. */
  readonly section: string;
  readonly evidence: string;
}

/** A call that was allowed and then failed; the error is the evidence. */
interface Degrade {
  readonly state: 'degrade';
  readonly code: 'TOOL_FAILED';
  /** No section of the constitution requires it. */
  readonly section: 'none';
  readonly evidence: string;
}

/** The decision on one call. */
export type Decision = { readonly state: 'pass' } | Refusal | Degrade;

/**
 * Judges one call before it runs. Rules of class `violation` come first, since no evidence can change
 * them; within a class the order of the table decides. Missing facts never allow a call: a rule that
 * has no facts about a path objects.
 */
export function decide(c: Case): Refusal | { readonly state: 'pass' } {
  return judgeClass(c, 'violation') ?? judgeClass(c, 'abstain') ?? { state: 'pass' };
}

/** The decision on an allowed call after it ran; `error` is undefined when it succeeded. */
export function decideAfter(error: string | undefined): Decision {
  return error === undefined
    ? { state: 'pass' }
    : { state: 'degrade', code: 'TOOL_FAILED', section: 'none', evidence: error };
}

/** The first breach of a class; one that ends the run comes before one that can be corrected. */
function judgeClass(c: Case, ruleClass: RuleClass): Refusal | undefined {
  let correctable: Refusal | undefined;
  for (const { code, section, judge, isCorrectable } of rules) {
    if (c.policy.rules[code] !== ruleClass) continue;
    const evidence = judge(c);
    if (evidence === undefined) continue;
    const isFinal = ruleClass === 'violation' && isCorrectable?.(c) !== true;
    const severity = isFinal ? 'abort' : 'correct';
    const refusal: Refusal = { state: 'abstain', severity, code, section, evidence };
    if (isFinal || ruleClass === 'abstain') return refusal;
    correctable ??= refusal;
  }
  return correctable;
}

/** The policy for the current plan and patch, and for what a call claims. */
export function policyInForce(
  policy: Constitution,
  evidence: Evidence,
  claims: readonly ClaimFacts[] = [],
): Constitution {
  // by the letter, a plan is judged by the policies of its folders from the next call on
  const planned = claims.flatMap(c =>
    c.kind === 'plan' && policy.reads !== 'strict' ? c.files : [],
  );
  const paths = planned.flatMap(p => normalisePath(p) ?? []);
  return policyFor(policy, [...policyPaths(claims, evidence), ...paths]);
}

/** The paths that decide which folder policies apply: those of the call, the plan and the patch. */
export function policyPaths(claims: readonly ClaimFacts[], evidence: Evidence): readonly string[] {
  const named = claims.flatMap(claim => ('path' in claim ? [claim.path] : []));
  return [...named, ...(evidence.plan?.affectedFiles ?? []), ...evidence.patchedFiles].flatMap(
    p => normalisePath(p) ?? [],
  );
}
