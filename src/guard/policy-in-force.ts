/** Which law holds for a call: that of every folder which it, the plan or the patch touches. Pure. */
import type { Claim } from './claim.ts';
import { type Constitution, policyFor } from './constitution.ts';
import type { Evidence } from './evidence.ts';
import { normalisePath } from './paths.ts';

/** The law over the plan and the patch as they stand, and over what a call claims. */
export function policyInForce(
  policy: Constitution,
  evidence: Evidence,
  claims: readonly Claim[] = [],
): Constitution {
  return policyFor(policy, policyPaths(claims, evidence));
}

/** Paths that decide which folder's law holds for a call: its own, the plan's and the patch's. */
export function policyPaths(claims: readonly Claim[], evidence: Evidence): readonly string[] {
  const named = claims.flatMap(claim => ('path' in claim ? [claim.path] : []));
  return [...named, ...(evidence.plan?.affectedFiles ?? []), ...evidence.patchedFiles].flatMap(
    p => normalisePath(p) ?? [],
  );
}
