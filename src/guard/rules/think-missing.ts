/** THINK_MISSING: calls that act without reasoning, or by the letter with that of the round before (§4.1). */
import type { ClaimFacts } from '../claim.ts';
import type { Case, Rule } from '../rule.ts';

const looks: ReadonlySet<ClaimFacts['kind']> = new Set([
  'navigate',
  'read',
  'skill-file',
  'skill',
  'plan',
]);

/** What only looks runs without reasoning; in strict mode nothing does. */
export const thinkMissing: Rule = {
  code: 'THINK_MISSING',
  section: '§4.1',
  judge: c => {
    const { evidence, policy } = c;
    if (policy.reads !== 'strict' && !acts(c)) return undefined;
    if (evidence.thought.trim() === '') return 'the reply contains tool calls but no reasoning';
    if (policy.reads !== 'strict') return undefined;
    if (evidence.isBrief) return 'the reasoning is one sentence, and 2 to 5 are required';
    return evidence.repeats
      ? 'the reasoning is that of the round before, word for word'
      : undefined;
  },
};

/** True for a call that changes or runs something, keeps a note, or ends the run. */
function acts({ call }: Case): boolean {
  if (call.nextPhase === 'COMMIT' || call.nextPhase === 'ROLLBACK') return true;
  return call.claims.some(claim => !looks.has(claim.kind));
}
