/** The files of active skills, as numbered lines and as scripts of commands. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import type { SkillManager } from '../../src/skills/skill-manager.ts';
import { scriptsFor, showSkillFile } from '../../src/tools/skill-files.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { usual } from './play.ts';

const text = '# One\nfirst\n\n# Two\nsecond\n';
const contextWith = (skills: object) =>
  ({ ...usual, skills: skills as SkillManager }) as unknown as ToolContext;
const context = contextWith({
  readFile: async (_skill: string, file: string) => (file === 'a.md' ? text : undefined),
  scripts: async () => new Map([['x/scripts/run.sh', Buffer.from('ls')]]),
});
const address = 'photon:x/a.md';
const show = (given: Parameters<typeof showSkillFile>[1], maxBytes = 1000) =>
  showSkillFile(address, given, { context, maxBytes });

describe('a file of a skill', () => {
  it('is shown from its start, or by a range', async () => {
    expect(await show(undefined)).toBe(
      `${address} L1-5 of 5\n1\t# One\n2\tfirst\n3\t\n4\t# Two\n5\tsecond`,
    );
    expect(await show({ startLine: 2, endLine: 2 })).toBe(
      `${address} L2-2 of 5\n2\tfirst\n[cut: L3-5 not shown]`,
    );
  });

  it('ends between lines within its bytes', async () => {
    expect(await show(undefined, 16)).toBe(
      `${address} L1-2 of 5\n1\t# One\n2\tfirst\n[cut: L3-5 not shown]`,
    );
  });

  it('is said to be missing', async () => {
    expect(await showSkillFile('photon:x/b.md', undefined, { context, maxBytes: 99 })).toBe(
      'photon:x/b.md: the skill has no text file of this name.',
    );
  });

  it('that cannot be read says why', async () => {
    const refusing = contextWith({
      readFile: async () => {
        throw new PhotonError('SKILL_INVALID', 'x/a.md is not text');
      },
    });
    expect(await showSkillFile(address, undefined, { context: refusing, maxBytes: 99 })).toBe(
      'x/a.md is not text',
    );
  });
});

it('a command sees scripts only when it names their folder', async () => {
  expect(await scriptsFor('ls', context)).toBeUndefined();
  const scripts = await scriptsFor('sh .photon/active-skills/x/scripts/run.sh', context);
  expect([...(scripts ?? [])].map(([path]) => path)).toEqual([
    '.photon/active-skills/x/scripts/run.sh',
  ]);
});
