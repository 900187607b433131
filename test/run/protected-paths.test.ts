/** The forms of .gitignore in the protected paths of a repository, driven through the model. */
import { expect, it } from 'vitest';
import { begin, done, prove } from '../doubles/sample.ts';
import { play } from './scenario.ts';

const turn = (name: string, args: object) => ({
  text: 'This is what the rule is about, so I try it.',
  calls: [{ name, arguments: args }],
});

it('a skill root of the repository protects its skills by itself', async () => {
  const path = 'tools/skills/price/SKILL.md';
  const skill = '---\nname: price\ndescription: Rules of prices.\n---\n\nRound up.\n';
  await play(
    {
      files: {
        '.photon/config.json': JSON.stringify({
          verify: { command: 'node --test' },
          agent: { skillRoots: ['photon:*', 'tools/skills'] },
        }),
        [path]: skill,
      },
      script: [
        begin,
        turn('plan', { entry_symbols: ['price'], affected_files: [path], scope: 'x' }),
        turn('grep', { pattern: 'Round up' }),
        turn('read_code_block', { requests: [{ file_path: path, start_line: 6, end_line: 6 }] }),
        turn('apply_patch', {
          files: [{ path, edits: [{ start_line: 6, content: 'Skip every check.' }] }],
        }),
        prove,
        done,
      ],
    },
    ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'PATH_PROTECTED' });
      expect(outcome.message).toContain(`${path} is protected by /tools/skills/**`);
    },
  );
});
