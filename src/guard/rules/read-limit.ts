/** READ_LIMIT: a read of more lines of one file than the constitution allows (§3.1). */
import type { Rule } from '../rule.ts';

export const readLimit: Rule = {
  code: 'READ_LIMIT',
  section: '§3.1',
  judge: ({ call, policy }) => {
    const max = policy.limits.read_lines;
    for (const claim of call.claims) {
      if (claim.kind !== 'read' && claim.kind !== 'skill-file') continue;
      if (claim.range === undefined) continue;
      const lines = claim.range.endLine - claim.range.startLine + 1;
      if (lines > max)
        return `${claim.kind === 'read' ? claim.path : claim.file}: ${lines} lines requested; at most ${max} are allowed`;
    }
    return null;
  },
};
