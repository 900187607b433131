import { expect, it } from 'vitest';
import { isUpdatePull } from '../../../../src/hosts/github/triggers/update-pull.ts';

it.each([
  ['dependabot/npm/x-2', 'someone', true],
  ['renovate/x', undefined, true],
  ['topic', 'dependabot[bot]', true],
  ['topic', 'renovate[bot]', true],
  ['topic', 'dependabot', false],
  ['my-dependabot/x', 'ann', false],
  ['topic', undefined, false],
])('the branch %s of %s is one of a dependency bot: %s', (ref, login, is) => {
  expect(isUpdatePull({ ref, login })).toBe(is);
});
