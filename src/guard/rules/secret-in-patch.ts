/** SECRET_IN_PATCH: a patch that contains the value of a known secret (§3.3). */
import type { Rule } from '../rule.ts';

export const secretInPatch: Rule = {
  code: 'SECRET_IN_PATCH',
  section: '§3.3',
  judge: ({ call, holdsSecret }) => {
    for (const claim of call.claims) {
      if (claim.kind === 'write' && (holdsSecret(claim.added) || holdsSecret(claim.path))) {
        return 'the change contains the value of a secret of this run';
      }
    }
    return undefined;
  },
};
