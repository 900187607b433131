/** PHASE_ORDER: a call that the transition table does not allow in this phase (§2). */
import { listFirst } from '../../base/plural.ts';
import { findChanged } from '../reach.ts';
import type { Rule } from '../rule.ts';

export const phaseOrder: Rule = {
  code: 'PHASE_ORDER',
  section: '§2',
  judge: ({ call, evidence, facts }) => {
    if (call.nextPhase !== undefined) return undefined;
    const unread = findChanged(call.claims, facts).filter(path => !evidence.known.has(path));
    const why =
      evidence.phase === 'NAVIGATE' && unread.length > 0
        ? `, since this run has not read ${listFirst(unread)}`
        : '';
    return `${call.tool} cannot run in phase ${evidence.phase}${why}`;
  },
};
