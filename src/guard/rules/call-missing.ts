/** CALL_MISSING: a reply that calls no tool and does not end the run (§1, §4.1). */
import type { Rule } from '../rule.ts';

export const callMissing: Rule = {
  code: 'CALL_MISSING',
  section: '§1',
  judge: ({ call }) => (call.tool === '' ? 'the reply contains no tool call' : undefined),
};
