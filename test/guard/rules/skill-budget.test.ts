/** The rows of SKILL_BUDGET. */
import type { SkillGrant, SkillUse } from '../../../src/guard/policy/skill-grant.ts';
import { skillBudget } from '../../../src/guard/rules/skill-budget.ts';
import { type Given, grant, playRows } from './cases.ts';

/** code-modify is active under some budgets and was used so much. */
const used = (
  budgets: SkillGrant['budgets'],
  use: Partial<SkillUse>,
  ...others: SkillGrant[]
): Given => ({
  call: { tool: 'run_command' },
  evidence: {
    activeSkills: [grant({ budgets }), ...others],
    skillUse: new Map([['code-modify', { activations: 1, rounds: 0, calls: 0, ...use }]]),
  },
});

playRows(skillBudget, 'abstain SKILL_BUDGET §5.1', [
  [
    'calls are used up',
    [{ kind: 'run', commands: [['ls']] }],
    'code-modify has used its budget of 2 calls',
    used({ calls: 2 }, { calls: 2 }),
  ],
  [
    'one call is left',
    [{ kind: 'run', commands: [['ls']] }],
    'pass',
    used({ calls: 2 }, { calls: 1 }),
  ],
  [
    'no calls at all',
    [{ kind: 'run', commands: [['ls']] }],
    'code-modify has used its budget of 0 calls',
    used({ calls: 0 }, {}),
  ],
  [
    'rounds are used up',
    [{ kind: 'run', commands: [['ls']] }],
    'code-modify has used its budget of 2 active rounds',
    used({ rounds: 2 }, { rounds: 3 }),
  ],
  [
    'the last round',
    [{ kind: 'run', commands: [['ls']] }],
    'pass',
    used({ rounds: 2 }, { rounds: 2 }),
  ],
  [
    'an undo',
    [{ kind: 'redirect', path: 'x' }, { kind: 'undo' }],
    'pass',
    used({ calls: 2 }, { calls: 2 }),
  ],
  [
    'another skill has budget left',
    [{ kind: 'run', commands: [['ls']] }],
    'pass',
    used({ calls: 0 }, {}, { ...grant({}), name: 'other' }),
  ],
  [
    'a tool that needs no skill',
    [],
    'pass',
    { ...used({ calls: 0 }, {}), call: { tool: 'finish' } },
  ],
]);
