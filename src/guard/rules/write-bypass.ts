/** WRITE_BYPASS: a command line that writes a project file (§3.3). */
import { normalisePath } from '../paths.ts';
import type { Rule } from '../rule.ts';

/** Only the letter refuses such a command: otherwise what it writes is put back and shown, and is in no patch. */
export const writeBypass: Rule = {
  code: 'WRITE_BYPASS',
  section: '§3.3',
  judge: ({ call, facts, policy }) => {
    if (policy.reads !== 'strict') return undefined;
    for (const claim of call.claims) {
      if (claim.kind !== 'redirect') continue;
      const path = normalisePath(claim.path);
      const known = path === undefined ? undefined : facts.get(path);
      if (known?.tracked)
        return `${call.tool} would write ${path}; only apply_patch may change project files`;
    }
    return undefined;
  },
};
