/** What skills require. */
import { describe, expect, it } from 'vitest';
import { findUnready } from '../../src/skills/requirements.ts';
import { load, put, useSkillFolder } from './skill-files.ts';

useSkillFolder();

describe('what skills require', () => {
  const tools = new Set(['grep']);
  const unready = async (files: Record<string, string>) => {
    for (const [name, requires] of Object.entries(files))
      put(
        `skills/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: d\nphoton: ${requires}\n---\n`,
      );
    return Object.fromEntries(await findUnready(await load('skills'), tools));
  };

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['what is there', { a: '{ requires: { tools: [grep], skills: [b] } }', b: '{}' }, {}],
    [
      'a tool that is not',
      { a: '{ requires: { tools: [teleport] } }' },
      { a: 'a requires tools that do not exist: teleport' },
    ],
    [
      'a skill that is not',
      { a: '{ requires: { skills: [b] } }' },
      { a: 'a requires b, which is not on the allowlist' },
    ],
    ['itself', { a: '{ requires: { skills: [a] } }' }, { a: 'skills require each other: a > a' }],
    [
      'each other',
      {
        a: '{ requires: { skills: [b] } }',
        b: '{ requires: { skills: [c] } }',
        c: '{ requires: { skills: [a] } }',
      },
      {
        a: 'skills require each other: a > b > c > a',
        b: 'skills require each other: b > c > a > b',
        c: 'skills require each other: c > a > b > c',
      },
    ],
    [
      'a version that is there',
      { a: '{ requires: { skills: ["b@^1.2"] } }', b: '{ version: "1.4.0" }' },
      {},
    ],
    [
      'a version that is too old',
      { a: '{ requires: { skills: ["b@^1.2"] } }', b: '{ version: "1.1.9" }' },
      { a: 'a requires b@^1.2, but the allowlist has 1.1.9' },
    ],
    [
      'a version of none',
      { a: '{ requires: { skills: ["b@*"] } }', b: '{}' },
      { a: 'a requires b@*, but the allowlist has one without a version' },
    ],
    [
      'what is far down',
      { a: '{ requires: { skills: [b] } }', b: '{ requires: { tools: [x] } }' },
      { a: 'b requires tools that do not exist: x', b: 'b requires tools that do not exist: x' },
    ],
  ])('%s', async (_name, files, expected) => {
    expect(await unready(files)).toEqual(expected);
  });

  it('a text that is no range makes its skill unusable, and no other', async () => {
    expect(
      await unready({ a: '{ requires: { skills: ["b@soon"] } }', b: '{ version: "1.0.0" }' }),
    ).toEqual({
      a: 'a requires b@soon: expected a version range, such as ^1.2',
    });
  });
});
