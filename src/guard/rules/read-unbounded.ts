/** READ_UNBOUNDED: a read of a folder or of a pattern instead of a file (§3.1). */
import { normalisePath } from '../paths.ts';
import type { Rule } from '../rule.ts';

/** Only the letter refuses such a read: otherwise it is answered with the names of the files, and the text of none. */
export const readUnbounded: Rule = {
  code: 'READ_UNBOUNDED',
  section: '§3.1',
  judge: ({ call, facts, policy }) => {
    if (policy.reads !== 'strict') return undefined;
    for (const claim of call.claims) {
      if (claim.kind !== 'read' && claim.kind !== 'print') continue;
      if (claim.path === '' && claim.kind === 'print')
        return `${call.tool} would print files that no word of it names`;
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
