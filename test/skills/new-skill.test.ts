/** A new skill. */
import { describe, expect, it } from 'vitest';
import { coreTools, toolNames } from '../../src/agent/context/skills.ts';
import { checkSkill } from '../../src/skills/check-skill.ts';
import { loadSkills } from '../../src/skills/load.ts';
import { renderNewSkill } from '../../src/skills/new-skill.ts';
import { readSkillFolder } from '../../src/skills/skill-manager.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { folder, photon, put, useSkillFolder } from './skill-files.ts';

useSkillFolder();

describe('a skill is complete when role and plan can be built from its interface', () => {
  const tools = { all: toolNames, core: coreTools };

  it('a new skill passes as it stands', async () => {
    put('skills/x/SKILL.md', renderNewSkill('x'));
    const repository = openFolderFiles(folder);
    const {
      skills: [found],
    } = await loadSkills(['skills'], { photon, repository });
    if (found === undefined) throw new Error('no skill');
    const read = await readSkillFolder(found, repository);
    expect(checkSkill({ skill: found, ...read }, tools).gaps).toEqual([]);
  });
});
