/** SKILL_LIMIT: an activation beyond the number of skills that may be active at once (§5.3). */
import type { Rule } from '../rule.ts';

export const skillLimit: Rule = {
  code: 'SKILL_LIMIT',
  section: '§5.3',
  judge: ({ call, evidence, policy }) => {
    if (call.tool !== 'skill_activate') return undefined;
    const max = Math.max(policy.limits.active_skills, evidence.skillsOfTask);
    for (const claim of call.claims) {
      if (claim.kind !== 'skill') continue;
      const others = evidence.activeSkills.map(s => s.name).filter(name => name !== claim.name);
      if (others.length >= max)
        return `${others.length} skills are active (${others.join(', ')}), and at most ${max} may be at once`;
    }
    return undefined;
  },
};
