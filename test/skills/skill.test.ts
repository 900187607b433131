/** The format of a SKILL.md. */
import { describe, expect, it } from 'vitest';
import { skillWarnings } from '../../src/skills/load.ts';
import { loadAll, plain, read, refusal, useSkillFolder } from './skill-files.ts';

useSkillFolder();

describe('the format of a SKILL.md', () => {
  it("takes the open keys and Photon's own, and leaves other programs theirs", async () => {
    const skill = await read(`name: x
description: |
  Does it,
  on two lines.
license: MIT
compatibility: Needs git
metadata:
  author: me
  version: 9.9.9
requires: { bins: [curl] }
allowed-tools: apply_patch, run_command
photon:
  version: "1.2.3"
  constraints: [Be brief.]
  requires: { tools: [grep], skills: ["y@^1.2", z] }
  guards: { paths: ["@tests", "lib/**"], maxFiles: 3 }
  budgets: { calls: 5 }
  interface:
    role: Somebody.
    steps: [One., Two.]`);
    expect(skill).toMatchObject({
      name: 'x',
      origin: 'repository',
      path: 'skills/x/SKILL.md',
      description: 'Does it, on two lines.',
      license: 'MIT',
      compatibility: 'Needs git',
      version: '1.2.3',
      allowedTools: ['apply_patch', 'run_command'],
      constraints: ['Be brief.'],
      requiredTools: ['grep'],
      requiredSkills: [
        { name: 'y', range: '^1.2' },
        { name: 'z', range: '' },
      ],
      guards: { paths: ['@tests', 'lib/**'], maxFiles: 3 },
      budgets: { calls: 5 },
    });
    expect(skill.interface).toMatchObject({
      role: 'Somebody.',
      steps: ['One.', 'Two.'],
      success: '',
    });
  });

  it.each<[string, string, readonly string[]]>([
    [
      'one line with spaces',
      'allowed-tools: apply_patch run_command',
      ['apply_patch', 'run_command'],
    ],
    [
      'one line with commas',
      'allowed-tools: apply_patch,run_command',
      ['apply_patch', 'run_command'],
    ],
    ['a list', 'allowed-tools: [apply_patch, run_command]', ['apply_patch', 'run_command']],
    ['in camel case', 'allowedTools: grep', ['grep']],
    ['as a map', 'tools: { grep: true, run_command: false }', ['grep']],
    [
      'with rules in parentheses',
      'allowed-tools: Bash(git add:*) grep',
      ['Bash(git add:*)', 'grep'],
    ],
    ['twice, in agreement', 'allowed-tools: a b\ntools: [b, a]', ['a', 'b']],
    ['not at all', 'license: MIT', []],
    ['empty', 'allowed-tools:', []],
  ])('reads the list of tools written %s', async (_name, line, tools) => {
    expect((await read(`${plain}\n${line}`)).allowedTools).toEqual(tools);
  });

  it('takes an interface that is one text with labels', async () => {
    const text =
      'photon:\n  interface: |\n    Input: a task.\n    Steps: find it; change it.\n    Success: it works.';
    expect((await read(`${plain}\n${text}`)).interface).toMatchObject({
      input: 'a task.',
      steps: ['find it', 'change it.'],
      success: 'it works.',
    });
  });

  it.each<[string, string, string]>([
    [
      'a tab before a key',
      `${plain}\nphoton:\n\tguards:\n\t\tpaths: [a]`,
      ':5: front matter: a tab indents this line',
    ],
    ['a name with capitals', 'name: X\ndescription: d', 'name: use lower-case words joined by -'],
    ['no description', 'name: x', 'description: '],
    [
      'two lists that disagree',
      `${plain}\nallowed-tools: grep\ntools: run_command`,
      'tools: must name the same tools as allowed-tools',
    ],
    ['a list of numbers', `${plain}\nallowed-tools: [1]`, 'allowed-tools: expected names of tools'],
    [
      'a guard that is misspelt',
      `${plain}\nphoton: { guards: { path: [a] } }`,
      'photon.guards: there is no key "path" here',
    ],
    [
      'an unknown key of ours',
      `${plain}\nphoton: { constraint: [a] }`,
      'photon: there is no key "constraint" here',
    ],
    ['a version that is a number', `${plain}\nphoton: { version: 1.0 }`, 'photon.version: '],
    [
      'a version that is none',
      `${plain}\nphoton: { version: "new" }`,
      'photon.version: use a quoted semantic version',
    ],
    ['code of its own type', `${plain}\nx: !!js/function "function () {}"`, 'front matter: '],
  ])('refuses %s, naming file, key and what is expected', async (_name, front, says) => {
    const message = await refusal(() => read(front));
    expect(message).toMatch(/^skills\/x\/SKILL\.md(:\d+)?: /);
    expect(message).toContain(says);
  });
});

describe('keys of the top level', () => {
  it.each(['constraints: [Be brief.]', 'photon:\n  constraints: [Be brief.]'])(
    '%s',
    async front => {
      expect((await read(`${plain}\n${front}`)).constraints).toEqual(['Be brief.']);
    },
  );

  it('count like those under photon, with interface, requirements and version', async () => {
    const skill = await read(
      `${plain}\ntools: [grep]\nversion: "1.0.0"\nrequires: { tools: [grep] }\ninterface: { role: Somebody. }`,
    );
    expect(skill).toMatchObject({
      allowedTools: ['grep'],
      version: '1.0.0',
      requiredTools: ['grep'],
      ignoredKeys: [],
    });
    expect(skill.interface.role).toBe('Somebody.');
  });

  it('may repeat what photon says, and may not contradict it', async () => {
    const both = (text: string) =>
      `${plain}\nconstraints: [${text}]\nphoton: { constraints: [A.] }`;
    expect((await read(both('A.'))).constraints).toEqual(['A.']);
    expect(await refusal(() => read(both('B.')))).toBe(
      'skills/x/SKILL.md: constraints: differs from photon.constraints; state it in one place',
    );
  });

  it('of another shape, and unknown ones, are named', async () => {
    const skill = await read(`${plain}\nrequires: { bins: [curl] }\nmodel: opus\ncolor: red`);
    expect(skill.ignoredKeys).toEqual(['model', 'color', 'requires']);
    const { skills, leftOut } = await loadAll('skills');
    expect(skillWarnings({ skills, leftOut }, ['grep'])).toEqual([
      'Skill x: Photon does not read model, color, requires.',
    ]);
  });
});
