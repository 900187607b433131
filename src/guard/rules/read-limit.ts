/** READ_LIMIT: reads of one round that ask for more lines of one file than the constitution allows (§3.1). */
import { countRead, rangesByFile } from '../read-lines.ts';
import type { Rule } from '../rule.ts';

export const readLimit: Rule = {
  code: 'READ_LIMIT',
  section: '§3.1',
  judge: ({ call, evidence, policy }) => {
    const max = policy.limits.read_lines;
    for (const [file, ranges] of rangesByFile(call.claims)) {
      const lines = countRead(ranges, evidence.readThisRound.get(file) ?? new Set());
      if (lines > max)
        return `${file}: ${lines} lines requested in one round; at most ${max} are allowed`;
    }
    return undefined;
  },
};
