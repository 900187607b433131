/** PHASE_ORDER: a call that the transition table does not allow in this phase (§2). */
import type { Rule } from '../rule.ts';

export const phaseOrder: Rule = {
  code: 'PHASE_ORDER',
  section: '§2',
  judge: ({ call, evidence }) => {
    if (call.nextPhase !== undefined) return undefined;
    const unread = evidence.phase === 'NAVIGATE' && call.claims.some(c => c.kind === 'write');
    const why = unread ? ' on an existing file that this run has not read' : '';
    return `${call.tool} cannot run in phase ${evidence.phase}${why}`;
  },
};
