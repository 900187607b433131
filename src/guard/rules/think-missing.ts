/** THINK_MISSING: tool calls without a line of reasoning (§4.1). */
import type { Rule } from '../rule.ts';

export const thinkMissing: Rule = {
  code: 'THINK_MISSING',
  section: '§4.1',
  judge: ({ evidence }) =>
    evidence.thought.trim() === '' ? 'the reply contains tool calls but no reasoning' : undefined,
};
