/** The rows of SKILL_REQUIREMENT. */
import { skillRequirement } from '../../../src/guard/rules/skill-requirement.ts';
import { playRows, skillFile } from './cases.ts';

playRows(skillRequirement, 'abstain SKILL_REQUIREMENT §5.4', [
  [
    'a skill that lacks something',
    [{ kind: 'skill', name: 'code-modify' }],
    'it requires a tool',
    { evidence: { unreadySkills: new Map([['code-modify', 'it requires a tool']]) } },
  ],
  [
    'a file of a skill that lacks something is not asked for here',
    [skillFile('other', 'references/a.md')],
    'abstain SKILL_INACTIVE §5.3 skill "other" is not active',
    { evidence: { unreadySkills: new Map([['other', 'it requires a tool']]) } },
  ],
  [
    'another one that lacks something',
    [{ kind: 'skill', name: 'code-modify' }],
    'pass',
    { evidence: { unreadySkills: new Map([['other', 'it requires a tool']]) } },
  ],
]);
