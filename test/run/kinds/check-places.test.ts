import { expect, it } from 'vitest';
import type { Ending } from '../../../src/base/outcome.ts';
import { withPlaces } from '../../../src/run/kinds/check-places.ts';

const session = {
  plainText: async (path: string) => (path === 'src/a.js' ? 'one\ntwo\n' : undefined),
};
const answered = (answer: string) => withPlaces({ answer } as Ending, session);

it.each([
  ['src/a.js:2', true],
  ['src/a.js:1-2', true],
  ['src/a.js:3', false],
  ['src/a.js:1-3', false],
  ['src/b.js:1', false],
])('the place `%s` exists: %s', async (place, exists) => {
  const { places } = await answered(`It is in \`${place}\`.`);
  expect(places?.map(p => p.exists)).toEqual([exists]);
});

it('an answer without a place is left as it is', async () => {
  expect(await answered('It is nowhere.')).toEqual({ answer: 'It is nowhere.' });
});
