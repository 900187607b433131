/** A skill that grants `Bash(git:*)`, and what it objects to in a line. */
import {
  commandObjection,
  type SkillGrant,
  type SkillUse,
} from '../../src/guard/policy/skill-grant.ts';
import { simpleCommands } from '../../src/tools/shell-line.ts';

const onlyGit: SkillGrant = {
  name: 'x',
  tools: ['run_command'],
  commands: [{ words: ['git'], exact: false }],
  guards: {},
  budgets: {},
};

const none = new Map<string, SkillUse>();

export const objection = (line: string, ...others: SkillGrant[]) =>
  commandObjection(simpleCommands(line), { activeSkills: [onlyGit, ...others], skillUse: none });
