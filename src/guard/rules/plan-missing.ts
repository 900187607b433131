/** PLAN_MISSING: reads, writes, commands and ends of a run before there is a plan (§4). */
import type { ClaimFacts } from '../claim.ts';
import type { Case, Rule } from '../rule.ts';

/**
 * A listing, a search or a lookup is part of planning, and so is what ends with an answer. In strict mode these need a plan
 * as well.
 */
export const planMissing: Rule = {
  code: 'PLAN_MISSING',
  section: '§4',
  judge: c =>
    c.evidence.plan === undefined && c.call.claims.some(claim => isBound(claim, c))
      ? `${c.call.tool} needs a plan first`
      : undefined,
};

function isBound(claim: ClaimFacts, { evidence, policy }: Case): boolean {
  const isStrict = policy.reads === 'strict';
  switch (claim.kind) {
    case 'write':
    case 'undo':
    case 'redirect':
    case 'read':
    case 'run':
      return true;
    case 'navigate':
    case 'skill-file':
      return isStrict;
    case 'commit':
      return (
        isStrict ||
        (claim.answers !== true && evidence.phase === 'INPUT') ||
        evidence.patchDigest !== ''
      );
    default:
      return false;
  }
}
