/** `extends`: settings and rules of another repository hold for this one, which may only tighten them. */
import { describe, expect, it } from 'vitest';
import { repairScript } from '../doubles/sample.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const config = (data: object) => JSON.stringify(data);
const extending = (more: object = {}) => ({
  '.photon/config.json': config({ extends: 'octo/.github@main', ...more }),
});
const central = (files: Readonly<Record<string, string>>) => ({ 'octo/.github': files });

describe('extends', () => {
  it('brings the settings and the rules of the central repository, and says so', async () => {
    await play(
      {
        script: repairScript,
        files: extending(),
        others: central({
          '.photon/config.json': config({ delivery: { labels: ['agents'] } }),
          'constitution.md':
            '---\nflagged_paths: ["src/price.js"]\n---\nEvery price is reviewed.\n',
        }),
      },
      ({ outcome, github, model }) => {
        expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
        expect(outcome.notes.join('\n')).toMatch(
          /The settings and rules of octo\/\.github@[0-9a-f]{40} hold for this run\./,
        );
        const [pull] = github.state.pulls.values();
        expect(pull).toMatchObject({ draft: true, labels: ['agents'] });
        expect(pull?.body).toContain(
          '`src/price.js` (a file that the rules or settings of the repository flag)',
        );
        expect(JSON.stringify(model.requests[0]?.body)).toContain('Every price is reviewed.');
      },
    );
  });

  const refused = [
    [
      'a setting that the repository loosens',
      extending({ limits: { cost: 5 } }),
      central({ '.photon/config.json': config({ limits: { cost: 2 } }) }),
      'CONFIG_WEAKENS',
      'limits.cost is 5 here and 2 in octo/.github@',
    ],
    [
      'a rule that the repository loosens',
      { ...extending(), 'constitution.md': '---\nlimits:\n  read_lines: 100\n---\n' },
      central({ 'constitution.md': '---\nlimits:\n  read_lines: 50\n---\n' }),
      'CONSTITUTION_LOOSENED',
      'constitution.md:3: read_lines: 100 is looser than 50',
    ],
    [
      'a central file that is invalid',
      extending(),
      central({ '.photon/config.json': '{"limits": 1}' }),
      'CONFIG_INVALID',
      ': .photon/config.json: /limits: ',
    ],
    [
      'a chain of such files',
      extending(),
      central(extending()),
      'CONFIG_INVALID',
      'a central configuration extends no other',
    ],
    [
      'a repository that the token cannot read',
      extending(),
      { 'octo/other': {} },
      'GITHUB_REQUEST',
      'extends: octo/.github@main cannot be read',
    ],
  ] as const;

  it.each(sample('refused extensions', refused, 1))(
    '%s ends the run before the model is asked',
    async (_name, files, others, code, words) => {
      await play({ script: repairScript, files, others }, ({ outcome, model, log }) => {
        expect(outcome, log).toMatchObject({ status: 'failed', code });
        expect(outcome.message).toContain(words);
        expect(model.requests).toEqual([]);
      });
    },
  );
});
