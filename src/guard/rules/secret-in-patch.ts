/** SECRET_IN_PATCH: a patch that contains the value of a known secret (§3.3). */
import type { Rule } from '../rule.ts';

export const secretInPatch: Rule = {
  code: 'SECRET_IN_PATCH',
  section: '§3.3',
  judge: ({ call }) =>
    call.secret ? 'the change contains the value of a secret of this run' : undefined,
};
