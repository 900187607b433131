/** PLAN_MISSING: writes, verifications and ends of a run before there is a plan (§4). */
import type { Claim } from '../claim.ts';
import type { Case, Rule } from '../rule.ts';

/**
 * A look, and a command, which writes no project file, are parts of planning; what was looked at may end with an answer. In
 * strict mode all of it needs a plan.
 */
export const planMissing: Rule = {
  code: 'PLAN_MISSING',
  section: '§4',
  judge: c =>
    c.evidence.plan === undefined && c.call.claims.some(claim => isBound(claim, c))
      ? `${c.call.tool} needs a plan first`
      : undefined,
};

function isBound(claim: Claim, { call, evidence, policy }: Case): boolean {
  const isStrict = policy.reads === 'strict';
  switch (claim.kind) {
    case 'write':
    case 'undo':
    case 'redirect':
      return true;
    case 'navigate':
    case 'read':
    case 'skill-file':
      return isStrict;
    case 'run':
      return isStrict || call.tool === 'verify';
    case 'commit':
      return isStrict || evidence.phase === 'INPUT' || evidence.patchDigest !== '';
    default:
      return false;
  }
}
