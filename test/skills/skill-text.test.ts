import { describe, expect, it } from 'vitest';
import { coreTools, toolNames } from '../../src/agent/context/skills.ts';
import { checkSkill } from '../../src/skills/check-skill.ts';
import { loadSkills } from '../../src/skills/load.ts';
import { readSkillFolder } from '../../src/skills/skill-manager.ts';
import {
  decodeVisible,
  findBoundaryEnd,
  renderNewSkill,
  requireSize,
} from '../../src/skills/skill-text.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { folder, photon, put, useSkillFolder } from './skill-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const path = 'skills/a/SKILL.md';
const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'SKILL_INVALID', message: expect.stringMatching(message) });

describe('the end of the front matter', () => {
  it('is behind the line that closes it', () => {
    expect(findBoundaryEnd(bytes('---\nname: a\n---\n# Body\n'))).toBe(
      '---\nname: a\n---\n'.length,
    );
    expect(findBoundaryEnd(bytes('---\nname: a\n---'))).toBe('---\nname: a\n---'.length);
  });

  it('is unknown as long as these bytes do not hold it', () => {
    expect(findBoundaryEnd(bytes('---\nname: a\n--')) ?? 'unknown').toBe('unknown');
  });

  it('counts bytes, not characters, and reads a part of a larger buffer', () => {
    const text = '---\nname: ä\n---\n';
    const inside = Buffer.concat([Buffer.from('xyz'), bytes(text)]).subarray(3);
    expect(findBoundaryEnd(inside)).toBe(Buffer.byteLength(text));
  });
});

describe('the text of a skill', () => {
  it('is decoded without its byte order mark', () => {
    expect(decodeVisible(bytes('\ufeff# A'), path)).toBe('# A');
  });

  it.each([
    ['another encoding', Uint8Array.of(0x23, 0xff), /skills\/a\/SKILL\.md/],
    ['a NUL', bytes('a\0b'), /skills\/a\/SKILL\.md/],
    ['a hidden character', bytes('a\u200bb'), /U\+200B/],
  ])('with %s is refused at its place', (_what, given, says) => {
    expect(() => decodeVisible(given, path)).toThrow(invalid(says));
  });

  it('has a bound', () => {
    expect(() => requireSize(256 * 1024, path)).not.toThrow();
    expect(() => requireSize(256 * 1024 + 1, path)).toThrow(invalid(/at most 262144 are allowed/));
  });
});

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
