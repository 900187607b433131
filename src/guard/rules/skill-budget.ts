/** SKILL_BUDGET: a call whose granting skills have all used up their budgets (§5.1). */
import { overspent } from '../policy/skill-grant.ts';
import type { Rule } from '../rule.ts';

export const skillBudget: Rule = {
  code: 'SKILL_BUDGET',
  section: '§5.1',
  judge: ({ call, evidence }) => {
    // a change can always be taken back (§3.3)
    if (call.claims.some(claim => claim.kind === 'undo')) return undefined;
    const grants = evidence.activeSkills.filter(s => s.tools.includes(call.tool));
    const spent = grants.map(g => overspent(g, evidence));
    // without a grant the tool is a core tool, or TOOL_NOT_PERMITTED reports it
    return spent.every(why => why !== undefined) ? spent[0] : undefined;
  },
};
