/** skill_search finds skills that the prompt does not list. */
import { expect, it } from 'vitest';
import type { SkillManager } from '../../src/skills/skill-manager.ts';
import { skillSearch } from '../../src/tools/skill-search.ts';
import { callTool } from './play.ts';

const skills = (found: readonly string[], more = true) =>
  ({
    search: () => found,
    names: () => ['a', 'b'],
    hasMore: () => more,
  }) as unknown as SkillManager;

it('skill_search gives a line for each skill, or their number when none matches', async () => {
  const search = (found: readonly string[]) =>
    callTool(skillSearch, { query: 'x' }, { skills: skills(found) });
  expect((await search(['a: does it', 'b: too'])).text).toBe('a: does it\nb: too');
  expect((await search([])).text).toBe('No skill matches; 2 are available.');
});

it('skill_search is offered only when the prompt cannot list all skills', () => {
  expect(skillSearch.offered(skills([], true))).toBe(true);
  expect(skillSearch.offered(skills([], false))).toBe(false);
});
