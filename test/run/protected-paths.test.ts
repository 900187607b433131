/** The forms of .gitignore in the protected paths of a repository, driven through the model. */
import { expect, it } from 'vitest';
import { begin, done, prove } from '../doubles/sample.ts';
import { call, planOf, readLines, replaceLine, say } from '../doubles/steps.ts';
import { play } from './scenario.ts';

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
        say(planOf([path])),
        say(call('grep', { pattern: 'Round up' }), readLines(path, 6, 6)),
        say(replaceLine(path, 6, 'Skip every check.')),
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
