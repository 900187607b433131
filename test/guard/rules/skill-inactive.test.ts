/** The rows of SKILL_INACTIVE. */
import { skillInactive } from '../../../src/guard/rules/skill-inactive.ts';
import { grant, playRows, skillFile } from './cases.ts';

playRows(skillInactive, 'abstain SKILL_INACTIVE §5.3', [
  [
    'a file of a skill that is not active',
    [skillFile('code-modify', 'references/a.md')],
    'skill "code-modify" is not active',
  ],
  [
    'a long name is cut',
    [skillFile('y'.repeat(100), 'references/a.md')],
    `skill "${'y'.repeat(80)}" is not active`,
  ],
  [
    'a file of one that is',
    [skillFile('code-modify', 'references/a.md')],
    'pass',
    { evidence: { activeSkills: [grant({})] } },
  ],
  [
    'a file outside of its folder',
    [skillFile('code-modify', '../x')],
    'violation PATH_ESCAPE §3.1 "../x" is not a path inside the skill folder',
    { evidence: { activeSkills: [grant({})] } },
  ],
  [
    'a way out with backslashes',
    [skillFile('code-modify', 'references\\..\\..\\x')],
    'violation PATH_ESCAPE §3.1 "references\\\\..\\\\..\\\\x" is not a path inside the skill folder',
    { evidence: { activeSkills: [grant({})] } },
  ],
  [
    'odd characters lead nowhere, and the tool says so',
    [skillFile('code-modify', 'references\\a\n\ud800.md')],
    'pass',
    { evidence: { activeSkills: [grant({})] } },
  ],
  [
    'too many lines of it',
    [skillFile('code-modify', 'a.md', 501)],
    'violation READ_LIMIT §3.1 photon:code-modify/a.md: 501 lines requested in one round; at most 500 are allowed',
    { evidence: { activeSkills: [grant({})] } },
  ],
]);
