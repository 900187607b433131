/** The names of tools that a skill may grant. */
import { describe, expect, it } from 'vitest';
import { skillWarnings } from '../../src/skills/load.ts';
import { findUnready } from '../../src/skills/requirements.ts';
import { buildGrant } from '../../src/skills/skill.ts';
import { readAllowedTool } from '../../src/skills/tool-aliases.ts';
import { loadAll, plain, read, useSkillFolder } from './skill-files.ts';

describe('the names of tools', () => {
  it('are granted as mcp:NAME/TOOL, if the configuration lists them', () => {
    const all = new Set(['mcp_my_notes_read_note']);
    expect(readAllowedTool('mcp:my-notes/read.note', all)?.tool).toBe('mcp_my_notes_read_note');
    expect(readAllowedTool('mcp:my-notes/other', all)).toBeUndefined();
  });
});

useSkillFolder();

it('tools of another shape belong to another program, and grant nothing', async () => {
  const skill = await read(`${plain}\ntools: [{ name: grep }]`);
  expect(skill).toMatchObject({ allowedTools: [], ignoredKeys: ['tools'] });
  expect(
    (await read(`${plain}\ntools: { grep: yes please }\nallowed-tools: undo`)).allowedTools,
  ).toEqual(['undo']);
});

it('a required tool may have the name that other agents use', async () => {
  await read(`${plain}\nrequires: { tools: [list_files, search_text, Bash] }`);
  const { skills } = await loadAll('skills');
  const tools = ['list_project_files', 'grep', 'run_command'];
  expect(await findUnready(skills, new Set(tools))).toEqual(new Map());
});

describe('the tools of a list', () => {
  const tools = ['grep', 'list_project_files', 'read_code_block', 'apply_patch', 'run_command'];

  it.each<[string, readonly string[], readonly (readonly string[])[] | undefined]>([
    ['list_files search_text', ['list_project_files', 'grep'], undefined],
    [
      'Read, Grep, Glob, Edit, Write',
      ['read_code_block', 'grep', 'list_project_files', 'apply_patch'],
      undefined,
    ],
    ['Bash(git:*)', ['run_command'], [['git']]],
    [
      'Bash(npm run test:*), Bash(git log *)',
      ['run_command'],
      [
        ['npm', 'run', 'test'],
        ['git', 'log'],
      ],
    ],
    ['Bash(git:*) Bash', ['run_command'], undefined],
    ['Bash(*)', ['run_command'], undefined],
    ['Bash(git $X:*) Edit(docs/**) WebFetch', [], undefined],
  ])('%s', async (list, expected, words) => {
    const grant = buildGrant(
      await read(`${plain}\ninterface: { output: A list. }\nallowed-tools: "${list}"`),
      new Set(tools),
    );
    expect(grant.tools).toEqual(expected);
    expect(grant.commands?.map(c => c.words)).toEqual(words);
  });

  it('of a skill without an interface are granted, with a warning', async () => {
    const skill = await read(`${plain}\nallowed-tools: grep`);
    expect(buildGrant(skill, new Set(tools)).tools).toEqual(['grep']);
    expect(skillWarnings({ skills: [skill], leftOut: [] }, tools)).toEqual([
      'Skill x: it has no interface, so role and plan are what its text says; the tools that it names are granted.',
    ]);
  });

  it('that grant nothing are named', async () => {
    await read(`${plain}\ninterface: { output: A list. }\nallowed-tools: grep Task Edit(docs/**)`);
    expect(skillWarnings(await loadAll('skills'), tools)).toEqual([
      'Skill x: its interface does not state role, input, steps, success, abstain.',
      'Skill x: allowed-tools names Task, Edit(docs/**), which grants nothing.',
    ]);
  });
});
