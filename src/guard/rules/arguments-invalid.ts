/** ARGUMENTS_INVALID: arguments that do not fit the schema of the tool (§6). */
import type { Rule } from '../rule.ts';

export const argumentsInvalid: Rule = {
  code: 'ARGUMENTS_INVALID',
  section: '§6',
  judge: ({ call }) => (call.problems === 0 ? undefined : (call.problemText ?? '')),
};
