/** READ_UNBOUNDED: a read of a folder or of a pattern instead of a file (§3.1). */
import { normalisePath } from '../paths.ts';
import type { Rule } from '../rule.ts';

export const readUnbounded: Rule = {
  code: 'READ_UNBOUNDED',
  section: '§3.1',
  judge: ({ call, facts }) => {
    for (const claim of call.claims) {
      if (claim.kind !== 'read') continue;
      const path = normalisePath(claim.path);
      if (path === undefined) continue;
      const known = facts.get(path);
      if (path === '' || known?.kind === 'folder') return `${claim.path || '.'} is a folder`;
      if (known?.kind !== 'file' && /[*?]/.test(path))
        return `${claim.path} is a pattern, not a file`;
    }
    return undefined;
  },
};
