/** The rows of TOOL_NOT_PERMITTED. */
import type { Claim } from '../../../src/guard/claim.ts';
import type { SkillGrant } from '../../../src/guard/policy/skill-grant.ts';
import { toolNotPermitted } from '../../../src/guard/rules/tool-not-permitted.ts';
import { type Given, grant, playRows } from './cases.ts';

const run = (...words: string[]): Claim => ({ kind: 'run', commands: [words] });

/** code-modify is active, and grants `Bash(git:*)` and `Bash(npm test)`. */
const onlyCommands = (...others: SkillGrant[]): Given => ({
  call: { tool: 'run_command' },
  evidence: {
    activeSkills: [
      grant({
        commands: [
          { words: ['git'], exact: false },
          { words: ['npm', 'test'], exact: true },
        ],
      }),
      ...others,
    ],
  },
});

playRows(toolNotPermitted, 'abstain TOOL_NOT_PERMITTED §5.3', [
  ['no such tool', [], 'there is no tool "bash"', { call: { tool: 'bash', exists: false } }],
  [
    'a long name is cut',
    [],
    `there is no tool "${'b'.repeat(80)}"`,
    { call: { tool: 'b'.repeat(99), exists: false } },
  ],
  ['no skill grants it', [], 'no active skill grants "undo"', { call: { tool: 'undo' } }],
  [
    'a permitted name of no tool',
    [],
    'there is no tool "finish"',
    { call: { tool: 'finish', exists: false } },
  ],
  ['a command that a skill names', [run('git', 'log')], 'pass', onlyCommands()],
  ['a command that it names to the last word', [run('npm', 'test')], 'pass', onlyCommands()],
  [
    'a command that it does not name',
    [run('rm', '-r', 'x')],
    'the active skills permit only these commands: git …, npm test',
    onlyCommands(),
  ],
  [
    'more words than it names',
    [run('npm', 'test', '--', '-u')],
    'the active skills permit only these commands: git …, npm test',
    onlyCommands(),
  ],
  [
    'a command that only a shell knows',
    [{ kind: 'run', commands: undefined }],
    'the active skills permit only plain commands: git …, npm test',
    onlyCommands(),
  ],
  [
    'another skill permits every command',
    [run('rm', 'x')],
    'pass',
    onlyCommands(grant({ name: 'other' })),
  ],
]);
