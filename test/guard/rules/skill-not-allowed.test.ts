/** The rows of SKILL_NOT_ALLOWED. */
import { skillNotAllowed } from '../../../src/guard/rules/skill-not-allowed.ts';
import { playRows } from './cases.ts';

playRows(skillNotAllowed, 'abstain SKILL_NOT_ALLOWED §5.2', [
  ['another skill', [{ kind: 'skill', name: 'root' }], 'skill "root" is not on the allowlist'],
  [
    'a long name is cut',
    [{ kind: 'skill', name: 'r'.repeat(90) }],
    `skill "${'r'.repeat(80)}" is not on the allowlist`,
  ],
  ['one on the list', [{ kind: 'skill', name: 'code-modify' }], 'pass'],
  [
    'a misspelt name',
    [{ kind: 'skill', name: 'code_modify' }],
    'skill "code_modify" is not on the allowlist; similar: code-modify',
  ],
]);
