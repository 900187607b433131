/** What the reference validator of the Agent Skills format accepts is a skill: names of every script, and skill.md. */
import { describe, expect, it } from 'vitest';
import { skillWarnings } from '../../src/skills/load.ts';
import { parseAddress } from '../../src/skills/skill.ts';
import { findSkillFiles } from '../../src/skills/skill-text.ts';
import { load, loadAll, put, useSkillFolder } from './skill-files.ts';

useSkillFolder();

const skill = (name: string) => `---\nname: ${name}\ndescription: A test skill\n---\nBody\n`;
const decomposed = 'cafe\u0301';

describe('the name of a skill', () => {
  it.each([
    ['my-skill', 'my-skill'],
    ['技能', '技能'],
    ['навык', 'навык'],
    ['мой-навык', 'мой-навык'],
    ['café', decomposed],
    [decomposed, 'café'],
    ['2nd_try', '2nd_try'],
  ])('%s in a folder may be written %s', async (folder, name) => {
    put(`skills/${folder}/SKILL.md`, skill(name));
    const [found] = await load('skills');
    expect(found?.name).toBe(name.normalize('NFKC'));
  });

  it.each([
    ['MySkill', 'use lower-case words'],
    ['НАВЫК', 'use lower-case words'],
    ['-my-skill', 'use lower-case words'],
    ['my--skill', 'use lower-case words'],
    ['my skill', 'use lower-case words'],
    ['x'.repeat(65), 'at most 64 characters'],
  ])('%s is refused', async (name, says) => {
    put(`skills/${name}/SKILL.md`, skill(name));
    const { skills, leftOut } = await loadAll('skills');
    expect(skills).toEqual([]);
    expect(leftOut[0]?.reason).toContain(says);
  });

  it('may be another one than that of its folder, and a colon may lack its quotes, with a warning', async () => {
    put('skills/other/SKILL.md', '---\nname: правда\ndescription: Use it: always.\n---\n');
    const loaded = await loadAll('skills');
    expect(loaded.skills).toMatchObject([{ name: 'правда', description: 'Use it: always.' }]);
    expect(skillWarnings(loaded, [])).toEqual([
      'Skill правда: its folder has another name, other.',
      'Skill правда: its description holds a colon and is not quoted; put it in quotes.',
    ]);
  });

  it('is what a read of its files names', () => {
    expect(parseAddress(`skill:${decomposed}/references/a.md`)).toEqual({
      skill: 'café',
      file: 'references/a.md',
    });
    expect(parseAddress('photon:技能/SKILL.md')?.skill).toBe('技能');
    expect(parseAddress('skill:a b/x')).toBeUndefined();
  });
});

describe('the file of a skill', () => {
  it('may be called skill.md', async () => {
    put('skills/low/skill.md', skill('low'));
    const [found] = await load('skills');
    expect(found).toMatchObject({ name: 'low', path: 'skills/low/skill.md' });
  });

  it('is SKILL.md where a folder has both', async () => {
    expect(
      findSkillFiles(['a/skill.md', 'a/SKILL.md', 'b/skill.md', 'b/Skill.md', 'c/x.md']),
    ).toEqual(['a/SKILL.md', 'b/skill.md']);
  });
});
