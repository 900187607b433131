/** PLAN_MISSING: reads, writes or commands before there is a plan (§4). */
import type { Claim } from '../claim.ts';
import type { Rule } from '../rule.ts';

const needsPlan: ReadonlySet<Claim['kind']> = new Set([
  'read',
  'skill-file',
  'write',
  'undo',
  'run',
  'redirect',
  'commit',
]);

/** Listings, searches and lookups are part of planning; in strict mode they need a plan, too. */
export const planMissing: Rule = {
  code: 'PLAN_MISSING',
  section: '§4',
  judge: ({ call, evidence, policy }) => {
    if (evidence.plan !== undefined) return undefined;
    const isBound = (c: Claim) =>
      needsPlan.has(c.kind) || (policy.reads === 'strict' && c.kind === 'navigate');
    return call.claims.some(isBound) ? `${call.tool} needs a plan first` : undefined;
  },
};
