/** PATH_FILTERED: a change to a file that git stores in another form than a checkout shows, which Photon cannot make (§3.3). */
import { listFirst } from '../../base/plural.ts';
import { changedPaths } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

/** Maximum files that a refusal names. */
const maxNamed = 5;

/** The agent can always go on with the other files. */
export const pathFiltered: Rule = {
  code: 'PATH_FILTERED',
  section: '§3.3',
  judge: ({ call, facts }: Case) => {
    const found = changedPaths(call.claims).flatMap(path => {
      const { converted } = facts.get(path) ?? {};
      return converted === undefined ? [] : [`${path} (${converted})`];
    });
    if (found.length === 0) return undefined;
    return `git stores ${listFirst(found, String, { most: maxNamed })} in a form that Photon cannot make; nothing was done, so leave ${found.length === 1 ? 'this file' : 'these files'} out and go on with the others`;
  },
};
