/** The prompt that lists skills, and the search for others. */
import { beforeEach, describe, expect, it } from 'vitest';
import { skillMessages } from '../../src/agent/context/skills.ts';
import { loadSkills } from '../../src/skills/load.ts';
import type { Skill } from '../../src/skills/skill.ts';
import { maxDiscoveryBytes, renderDiscovery, searchSkills } from '../../src/skills/skill-prompt.ts';
import { profile } from './managed.ts';
import { photon } from './skill-files.ts';

const words = skillMessages(profile);

describe('the discovery prompt', () => {
  const made = (count: number): Skill[] =>
    Array.from({ length: count }, (_, i) => ({
      ...shippedSkills[0],
      name: `skill-${i}`,
      description: `Handles the area of work number ${i}, which has a description of usual length.`,
    })) as Skill[];
  let shippedSkills: readonly Skill[];
  beforeEach(async () => {
    ({ skills: shippedSkills } = await loadSkills(['photon:*'], { photon, repository: photon }));
  });

  it.each([0, 1, 10, 200, 2000])('is bounded at %i skills', count => {
    const { text, more } = renderDiscovery(made(count), 'nothing that fits', words);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxDiscoveryBytes);
    const shown = new Set(text.match(/skill-\d+/g));
    const unnamed = Number(/^(\d+) more: /m.exec(text)?.[1] ?? 0);
    expect(shown.size + unnamed).toBe(count);
    expect(more).toBe(count > 12);
    if (count > 0) expect(text).toContain('- skill-0: Handles the area of work number 0');
  });

  it.each(['', 'Make the failing test pass'])(
    'describes every shipped skill while all fit, whatever the task: %j',
    task => {
      const { text, more } = renderDiscovery(shippedSkills, task, words);
      expect(more).toBe(false);
      for (const { name, description } of shippedSkills)
        expect(text).toContain(`- ${name}: ${description}`);
    },
  );

  it('describes the ones that fit the task best where there is no room for all', () => {
    const needle = { ...shippedSkills[0], name: 'needle', description: 'Exports the ledger.' };
    const { text } = renderDiscovery([...made(60), needle as Skill], 'export the ledger', words);
    expect(text.split('\n')[1]).toBe('- needle: Exports the ledger.');
    expect(text).toMatch(/^Other skills: .*\bskill-59\b/m);
  });

  it.each([
    ['The test suite fails on main; make it pass', 'test-repair'],
    ['Write unit tests for src/price.js', 'test-writing'],
    ['eslint reports 14 problems, fix the lint findings', 'lint-repair'],
    ['tsc shows type errors', 'type-repair'],
    ['Update lodash to version 5', 'dependency-update'],
    ['The README is out of date, bring the documentation in line', 'docs-sync'],
    ['Remove unused functions and dead code', 'dead-code-removal'],
    ['The CI workflow failed, here is the log', 'ci-repair'],
    ['Carry out the review comments on this pull request', 'review-repair'],
    ['Make a plan of issues out of the TODO notes', 'todo-to-issue-plan'],
    ['Fix CVE-2024-1 from the security advisory', 'security-advisory-repair'],
    ['Rename orderTotal and change the code that calls it', 'code-modify'],
  ])('%s: %s comes first', (task, first) => {
    const { text } = renderDiscovery(shippedSkills, task, words);
    expect(text.split('\n')[1]).toMatch(new RegExp(`^- ${first}: `));
  });

  it('a search finds what is not shown, among 2,000', () => {
    const needle = {
      ...shippedSkills[0],
      name: 'ledger-export',
      description: 'Exports the ledger.',
    };
    const all = [...made(2000), needle as Skill];
    expect(renderDiscovery(all, 'nothing of it', words).text).not.toContain('ledger-export');
    expect(renderDiscovery(all, 'export the ledger', words).text.split('\n')[1]).toContain(
      'ledger-export',
    );
    expect(searchSkills(all, 'ledger')[0]?.name).toBe('ledger-export');
    expect(searchSkills(all, 'no such words xyzzy plugh')).toEqual([]);
  });

  it('ranks by pairs of letters where a script parts no words', () => {
    const scan = { ...shippedSkills[0], name: 'scan', description: '扫描项目文件' } as Skill;
    const { text } = renderDiscovery([...made(300), scan], '扫描项目中所有文件', words);
    expect(text.split('\n')[1]).toContain('- scan: ');
  });
});
