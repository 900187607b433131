/** SKILL_INACTIVE: a read of a file of a skill that is not active (§5.3). */
import type { Rule } from '../rule.ts';

export const skillInactive: Rule = {
  code: 'SKILL_INACTIVE',
  section: '§5.3',
  judge: ({ call, evidence }) => {
    for (const claim of call.claims) {
      if (claim.kind !== 'skill-file') continue;
      if (!evidence.activeSkills.some(s => s.name === claim.skill))
        return `skill ${JSON.stringify(claim.skill.slice(0, 80))} is not active`;
    }
    return undefined;
  },
};
