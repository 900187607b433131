/** Finds the policy for a call: the root's, and that of every folder which the call, plan or patch touches. */
import type { Claim } from '../claim.ts';
import type { Evidence } from '../evidence.ts';
import { normalisePath } from '../paths.ts';
import { type Constitution, policyFor } from './constitution.ts';

/** The policy for the current plan and patch, and for what a call claims. */
export function policyInForce(
  policy: Constitution,
  evidence: Evidence,
  claims: readonly Claim[] = [],
): Constitution {
  // by the letter, a plan is judged by the policies of its folders from the next call on
  const planned = claims.flatMap(c =>
    c.kind === 'plan' && policy.reads !== 'strict' ? c.files : [],
  );
  const paths = planned.flatMap(p => normalisePath(p) ?? []);
  return policyFor(policy, [...policyPaths(claims, evidence), ...paths]);
}

/** The paths that decide which folder policies apply: those of the call, the plan and the patch. */
export function policyPaths(claims: readonly Claim[], evidence: Evidence): readonly string[] {
  const named = claims.flatMap(claim => ('path' in claim ? [claim.path] : []));
  return [...named, ...(evidence.plan?.affectedFiles ?? []), ...evidence.patchedFiles].flatMap(
    p => normalisePath(p) ?? [],
  );
}
