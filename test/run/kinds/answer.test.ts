/** Which tasks are questions. */
import { expect, it } from 'vitest';
import type { Ending } from '../../../src/base/outcome.ts';
import { isQuestion, withPlaces } from '../../../src/run/kinds/answer.ts';

it.each([
  'Why does orderTotal round twice?',
  'Explain how the proxy decides which host it allows.',
  'Is `foo()` ever called without options?',
  'please describe the life of a session',
])('%s asks', task => {
  expect(isQuestion(task)).toBe(true);
});

it.each([
  'Fix the rounding of orderTotal.',
  'Can you rename the option nbsp?',
  'How about a faster sort?',
  'When the list is empty, return 0.',
  'Why is it slow?\n\nMake it fast.',
])('%s does not', task => {
  expect(isQuestion(task)).toBe(false);
});

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
