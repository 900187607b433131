/** PHASE_ORDER: a call that the transition table does not allow in this phase (§2). */
import type { Rule } from '../rule.ts';

export const phaseOrder: Rule = {
  code: 'PHASE_ORDER',
  section: '§2',
  judge: ({ call, evidence }) =>
    call.nextPhase === null ? `${call.tool} cannot run in phase ${evidence.phase}` : null,
};
