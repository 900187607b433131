/** PHASE_ORDER: a call that the transition table does not allow in this phase (§2). */
import { listFirst } from '../../base/plural.ts';
import { normalisePath } from '../paths.ts';
import type { Rule } from '../rule.ts';

export const phaseOrder: Rule = {
  code: 'PHASE_ORDER',
  section: '§2',
  judge: ({ call, evidence, facts }) => {
    if (call.nextPhase !== undefined) return undefined;
    const unread = call.claims.flatMap(claim => {
      const isWrite = claim.kind === 'write' && claim.preview !== true;
      const path = isWrite ? normalisePath(claim.path) : undefined;
      const isOld = path !== undefined && facts.get(path)?.kind === 'file';
      return isOld && !evidence.known.has(path) ? [path] : [];
    });
    const why =
      evidence.phase === 'NAVIGATE' && unread.length > 0
        ? `, since this run has not read ${listFirst(unread)}`
        : '';
    return `${call.tool} cannot run in phase ${evidence.phase}${why}`;
  },
};
