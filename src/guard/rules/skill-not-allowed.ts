/** SKILL_NOT_ALLOWED: a skill outside the allowlist, or a misspelt name (§5.2). */
import { nearestNames } from '../nearest-names.ts';
import type { Rule } from '../rule.ts';

export const skillNotAllowed: Rule = {
  code: 'SKILL_NOT_ALLOWED',
  section: '§5.2',
  judge: ({ call, evidence }) => {
    for (const claim of call.claims) {
      if (claim.kind !== 'skill' || evidence.unreadySkills.has(claim.name)) continue;
      if (evidence.allowedSkills.has(claim.name)) continue;
      const near = nearestNames(claim.name, evidence.allowedSkills);
      const meant = near.length === 0 ? '' : `; similar: ${near.join(', ')}`;
      return `skill ${JSON.stringify(claim.name.slice(0, 80))} is not on the allowlist${meant}`;
    }
    return undefined;
  },
};
