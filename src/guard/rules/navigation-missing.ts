/** NAVIGATION_MISSING: a read or patch of a file that this run has not seen (§3.2). */
import { normalisePath } from '../paths.ts';
import { type Access, findAccesses, isOfNothing, isReached, isSeen } from '../reach.ts';
import type { Case, Rule } from '../rule.ts';

export const navigationMissing: Rule = {
  code: 'NAVIGATION_MISSING',
  section: '§3.2',
  judge: c => {
    const accesses = findAccesses(c.call.claims, c);
    const isStrict = c.policy.reads === 'strict';
    const unreached = accesses.filter(a => !(isStrict ? isReached(a, c) : isSeen(a, c)));
    const mustBeFound = unreached.find(a => isStrict || !isOfNothing(a, c));
    if (mustBeFound !== undefined)
      return `no listing, search or lookup in this run returned ${mustBeFound.path}`;
    // beside a read of a file that exists, one of a missing file is answered as such
    return unreached.length === 0 || unreached.length < accesses.length
      ? undefined
      : unreached.map(a => describeMissing(a, c)).join('; ');
  },
};

function describeMissing({ path }: Access, { facts }: Case): string {
  const nearest = facts.get(normalisePath(path) ?? '')?.nearest ?? [];
  return nearest.length === 0
    ? `${path} does not exist`
    : `${path} does not exist; similar paths: ${nearest.join(', ')}`;
}
