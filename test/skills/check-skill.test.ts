/** Whether a skill is complete. */
import { describe, expect, it } from 'vitest';
import { coreTools, toolNames } from '../../src/agent/context/skills.ts';
import { checkSkill } from '../../src/skills/check-skill.ts';
import { loadSkills } from '../../src/skills/load.ts';
import { readSkillFolder } from '../../src/skills/skill-manager.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { folder, photon, put, useSkillFolder } from './skill-files.ts';

useSkillFolder();

describe('a skill is complete when role and plan can be built from its interface', () => {
  const tools = { all: toolNames, core: coreTools };

  it('every shipped skill is', async () => {
    const { skills } = await loadSkills(['photon:*'], { photon, repository: photon });
    expect(skills.length).toBeGreaterThanOrEqual(12);
    for (const each of skills) {
      const { kernel, files } = await readSkillFolder(each, photon);
      const { gaps, role, plan } = checkSkill({ skill: each, kernel, files }, tools);
      expect(gaps, each.name).toEqual([]);
      expect(role?.tools, each.name).toEqual(each.allowedTools);
      expect(plan?.steps.length, each.name).toBeGreaterThanOrEqual(3);
    }
  });

  async function check(front: string, body = 'x'.repeat(100), files: readonly string[] = []) {
    put(
      'skills/x/SKILL.md',
      `---\nname: x\ndescription: Does what it is there for.\n${front}\n---\n${body}\n`,
    );
    for (const file of files) put(`skills/x/${file}`, 'text\n');
    const repository = openFolderFiles(folder);
    const {
      skills: [found],
    } = await loadSkills(['skills'], { photon, repository });
    if (found === undefined) throw new Error('no skill');
    const read = await readSkillFolder(found, repository);
    return checkSkill({ skill: found, ...read }, tools);
  }

  const whole = `allowed-tools: apply_patch
photon:
  version: "1.0.0"
  constraints: [Be brief.]
  interface:
    role: Somebody who answers.
    input: What must be given.
    steps: [Find it with grep., Change it with apply_patch.]
    output: A patch of it.
    success: verify passes.
    abstain: There is nothing.`;

  it('a whole one has no gaps, and its plan names the tools of each step', async () => {
    const { gaps, role, plan } = await check(whole);
    expect(gaps).toEqual([]);
    expect(role).toEqual({
      role: 'Somebody who answers.',
      given: 'What must be given.',
      tools: ['apply_patch'],
      withdraws: 'There is nothing.',
    });
    expect(plan?.steps.map(s => s.tools)).toEqual([['grep'], ['apply_patch']]);
  });

  it.each<[string, string, string]>([
    ['role', whole.replace(/^ {4}role:.*\n/m, ''), 'photon.interface.role'],
    ['input', whole.replace(/^ {4}input:.*\n/m, ''), 'photon.interface.input'],
    [
      'steps',
      whole.replace(/steps: .*/, 'steps: [Change with apply_patch.]'),
      'photon.interface.steps',
    ],
    ['output', whole.replace(/^ {4}output:.*\n/m, ''), 'photon.interface.output'],
    ['success', whole.replace(/^ {4}success:.*\n/m, ''), 'photon.interface.success'],
    ['abstain', whole.replace(/\n {4}abstain:.*/, ''), 'photon.interface.abstain'],
    ['constraints', whole.replace(/^ {2}constraints:.*\n/m, ''), 'photon.constraints'],
    ['version', whole.replace(/^ {2}version:.*\n/m, ''), 'photon.version'],
    [
      'a tool that a step uses',
      whole.replace('with grep', 'with run_command'),
      'photon.interface.steps',
    ],
    [
      'a step for a tool',
      whole.replace('apply_patch\n', 'apply_patch run_command\n'),
      'photon.interface.steps',
    ],
    [
      'a tool that exists',
      whole.replace('apply_patch\n', 'apply_patch Task(x)\n'),
      'allowed-tools',
    ],
    ['a class of paths', `${whole}\n  guards: { paths: ["@nothing"] }`, 'photon.guards.paths'],
  ])('without %s it says so, with the reason', async (_name, front, key) => {
    const { gaps } = await check(front);
    expect(gaps.map(g => g.key)).toEqual([key]);
    expect(gaps[0]?.reason.length).toBeGreaterThan(15);
  });

  it('a kernel that says nothing, or names a file that is not there, is a gap', async () => {
    expect((await check(whole, 'Short.')).gaps.map(g => g.key)).toEqual(['kernel']);
    const body = `${'x'.repeat(100)} see references/a.md and scripts/b.mjs.`;
    expect((await check(whole, body, ['references/a.md'])).gaps).toEqual([
      { key: 'kernel', reason: 'it names scripts/b.mjs, which is not in the folder' },
    ]);
    expect((await check(whole, body, ['references/a.md', 'scripts/b.mjs'])).gaps).toEqual([]);
  });
});
