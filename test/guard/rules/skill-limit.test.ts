/** The rows of SKILL_LIMIT. */
import { skillLimit } from '../../../src/guard/rules/skill-limit.ts';
import { grant, playRows } from './cases.ts';

const active = ['a', 'b', 'c', 'd'].map(name => grant({ name }));
const activation = { tool: 'skill_activate' };
const permitted = { permittedTools: new Set(['skill_activate', 'skill_deactivate']) };
const fifth = [{ kind: 'skill', name: 'code-modify' }] as const;

playRows(skillLimit, 'abstain SKILL_LIMIT §5.3', [
  [
    'a fifth skill',
    [...fifth],
    '4 skills are active (a, b, c, d), and at most 4 may be at once',
    { call: activation, evidence: { ...permitted, activeSkills: active } },
  ],
  [
    'a fourth skill',
    [...fifth],
    'pass',
    { call: activation, evidence: { ...permitted, activeSkills: active.slice(1) } },
  ],
  [
    'one of the four again',
    [...fifth],
    'pass',
    {
      call: activation,
      evidence: {
        ...permitted,
        activeSkills: [...active.slice(1), grant({ name: 'code-modify' })],
      },
    },
  ],
  [
    'a fifth skill of a task that names five',
    [...fifth],
    'pass',
    { call: activation, evidence: { ...permitted, activeSkills: active, skillsOfTask: 5 } },
  ],
  [
    'the end of one of five',
    [...fifth],
    'pass',
    {
      call: { tool: 'skill_deactivate' },
      evidence: { ...permitted, activeSkills: [...active, grant({ name: 'code-modify' })] },
    },
  ],
]);
