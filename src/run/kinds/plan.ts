/** Runs that end with their plan: it is posted, or waits for a person to approve it. */
import { type Code, codes } from '../../base/codes.ts';
import type { Status } from '../../base/outcome.ts';
import type { RunKind } from '../stages.ts';
import { looking } from './looking.ts';

/** Ends with its plan. */
export const plan = planEndingWith('plan', 'no_change', 'PLAN_POSTED');

/** Ends with its plan, and waits for its approval. */
export const approval = planEndingWith('approval', 'needs_clarification', 'APPROVAL_NEEDED');

function planEndingWith(name: 'plan' | 'approval', status: Status, code: Code): RunKind {
  return {
    ...looking,
    name,
    tests: 'named',
    showsPlan: true,
    instructions: 'plan_only',
    settle: async (_run, ending) =>
      ending.status === 'no_change' || ending.status === 'answered'
        ? { ...ending, status, code, message: codes[code].meaning }
        : ending,
  };
}
