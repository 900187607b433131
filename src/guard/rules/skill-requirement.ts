/** SKILL_REQUIREMENT: a skill whose required tools, skills or versions are missing (§5.4). */
import type { Rule } from '../rule.ts';

export const skillRequirement: Rule = {
  code: 'SKILL_REQUIREMENT',
  section: '§5.4',
  judge: ({ call, evidence }) => {
    for (const claim of call.claims) {
      const lacks = claim.kind === 'skill' ? evidence.unreadySkills.get(claim.name) : undefined;
      if (lacks !== undefined) return lacks;
    }
    return undefined;
  },
};
