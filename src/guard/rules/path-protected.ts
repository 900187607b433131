/** PATH_PROTECTED: a change to a file that the constitution protects (§3.3). */

import { normalisePath, protectedMatcher } from '../paths.ts';
import type { Rule } from '../rule.ts';

export const pathProtected: Rule = {
  code: 'PATH_PROTECTED',
  section: '§3.3',
  judge: ({ call, policy }) => {
    const writes = call.claims.filter(c => c.kind === 'write');
    const protectedBy = protectedMatcher(policy.protectedPaths);
    for (const claim of writes) {
      const path = normalisePath(claim.path);
      const pattern = path === null ? null : protectedBy(path);
      if (pattern !== null) return `${path} is protected by ${pattern}`;
    }
    return null;
  },
};
