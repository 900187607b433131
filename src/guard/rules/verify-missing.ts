/** VERIFY_MISSING: a commit without a verification newer than the last patch (§2). */
import type { Rule } from '../rule.ts';

export const verifyMissing: Rule = {
  code: 'VERIFY_MISSING',
  section: '§2',
  judge: ({ call, evidence }) => {
    if (!call.claims.some(c => c.kind === 'commit')) return undefined;
    if (evidence.patchDigest === '' || evidence.verificationWaived) return undefined;
    return evidence.verified?.patchDigest === evidence.patchDigest
      ? undefined
      : 'the current patch has not been verified';
  },
};
