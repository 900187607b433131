/** Which tasks are questions. */
import { expect, it } from 'vitest';
import { isQuestion } from '../../../src/run/kinds/question.ts';

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
