/** PLAN_MISSING: navigation, reads, writes or commands before there is a plan (§4). */
import type { Claim } from '../claim.ts';
import type { Rule } from '../rule.ts';

const needsPlan: ReadonlySet<Claim['kind']> = new Set([
  'navigate',
  'read',
  'skill-file',
  'write',
  'undo',
  'run',
  'redirect',
  'commit',
]);

export const planMissing: Rule = {
  code: 'PLAN_MISSING',
  section: '§4',
  judge: ({ call, evidence }) => {
    if (evidence.plan !== undefined) return undefined;
    return call.claims.some(c => needsPlan.has(c.kind))
      ? `${call.tool} needs a plan first`
      : undefined;
  },
};
