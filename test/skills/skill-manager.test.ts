import { describe, expect, it } from 'vitest';
import { openSkills, toolNames } from '../../src/agent/context/skills.ts';
import { loadSkills } from '../../src/skills/load.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { profile } from './managed.ts';
import { folder, photon, put, useSkillFolder } from './skill-files.ts';

/** Writes a skill with the front matter that the test states, and no more. */
function skill(name: string, front: string, body = `Kernel of ${name}.`): void {
  put(
    `skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: About ${name}.\n${front}\n---\n${body}\n`,
  );
}

async function manager(task = '') {
  const skillSource = { photon, repository: openFolderFiles(folder) };
  const { skills } = await loadSkills(['skills'], skillSource);
  const allowed = { skills, leftOutSkills: new Map<string, string>(), skillSource, profile };
  return openSkills(allowed, { task, tools: toolNames });
}

useSkillFolder();

it('a skill that was left out blocks no loaded one of its name', async () => {
  skill('a', '');
  const skillSource = { photon, repository: openFolderFiles(folder) };
  const { skills } = await loadSkills(['skills'], skillSource);
  const leftOutSkills = new Map([
    ['a', 'taken'],
    ['b', 'broken'],
  ]);
  const open = await openSkills(
    { skills, leftOutSkills, skillSource, profile },
    { task: '', tools: toolNames },
  );
  expect(open.unready()).toEqual(new Map([['b', 'broken']]));
  expect(await open.activate('a')).toMatchObject({ ok: true });
});

describe('the skill manager', () => {
  it('activates a skill after those it requires, and gives their kernels', async () => {
    skill('scan', 'allowed-tools: grep');
    skill('modify', 'allowed-tools: apply_patch\nphoton: { requires: { skills: [scan] } }');
    const skills = await manager();
    expect(skills.getActiveSkillsPrompt()).toBe('');
    const answer = await skills.activate('modify');
    expect(answer).toMatchObject({
      ok: true,
      activated: [
        { name: 'scan', body: { core: 'Kernel of scan.', rest: [] } },
        { name: 'modify', body: { core: 'Kernel of modify.', rest: [] } },
      ],
    });
    expect(skills.getActiveSkills()).toEqual(['scan', 'modify']);
    expect(skills.getActiveSkillsPrompt()).toContain('# Active skill: scan');
    expect(skills.getActiveSkillsPrompt()).not.toContain('Kernel of');
  });

  it('takes away what only the deactivated skill required', async () => {
    skill('scan', 'allowed-tools: grep');
    skill('modify', 'allowed-tools: apply_patch\nphoton: { requires: { skills: [scan] } }');
    skill('other', 'allowed-tools: run_command\nphoton: { requires: { skills: [scan] } }');
    const skills = await manager();
    await skills.activate('modify');
    await skills.activate('other');
    expect(skills.deactivate('modify').ok).toBe(true);
    expect(skills.getActiveSkills()).toEqual(['scan', 'other']);
    expect(skills.deactivate('scan')).toEqual({ ok: false, reason: 'scan is required by other' });
    expect(skills.deactivate('modify')).toEqual({ ok: false, reason: 'modify is not active' });
    skills.deactivateAll();
    expect(skills.getActiveSkills()).toEqual([]);
    expect(skills.getActiveSkillsPrompt()).toBe('');
    expect(skills.grantedTools()).toEqual([]);
  });

  it('permits the union of what active skills allow, of tools that exist', async () => {
    skill('one', 'allowed-tools: grep apply_patch Bash(git:*)');
    skill('two', 'allowed-tools: apply_patch run_command teleport');
    skill('none', 'license: MIT');
    const skills = await manager();
    await skills.activate('none');
    expect(skills.grantedTools()).toEqual([]);
    await skills.activate('one');
    await skills.activate('two');
    expect([...skills.grantedTools()].sort()).toEqual(['apply_patch', 'grep', 'run_command']);
  });

  it.each<[string, string | Buffer, string]>([
    ['hidden text', 'a\u200bb', 'SKILL.md:5:2: contains the hidden character U+200B'],
  ])('a body with %s activates nothing', async (_name, body, says) => {
    const head = '---\nname: x\ndescription: d\n---\n';
    put('skills/x/SKILL.md', Buffer.concat([Buffer.from(head), Buffer.from(body)]));
    const skills = await manager();
    expect(await skills.activate('x')).toMatchObject({
      ok: false,
      reason: expect.stringContaining(says),
    });
    expect(skills.getActiveSkills()).toEqual([]);
  });

  it('reads files of active skills and of no other, and nothing outside their folders', async () => {
    skill('x', 'allowed-tools: grep');
    put('skills/x/references/a.md', 'Reference.\n');
    put('skills/secret.md', 'Outside.\n');
    put('skills/x/assets/logo.bin', Buffer.from([0, 1]));
    put('skills/x/references/hidden.md', 'a\u{e0041}b');
    const skills = await manager();
    expect(await skills.readFile('x', 'references/a.md')).toBeUndefined();
    await skills.activate('x');
    expect(await skills.readFile('x', 'references/a.md')).toBe('Reference.\n');
    expect(await skills.readFile('x', '../secret.md')).toBeUndefined();
    expect(await skills.readFile('x', 'assets/logo.bin')).toBeUndefined();
    await expect(skills.readFile('x', 'references/hidden.md')).rejects.toThrow('U+E0041');
  });
});
