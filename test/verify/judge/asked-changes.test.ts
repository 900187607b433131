/** Tasks that ask for something that changes what tests expect, and others. */
import { expect, it } from 'vitest';
import { asksForChangedTests } from '../../../src/verify/judge/asked-changes.ts';

it.each([
  'Rename the option nbsp to nonBreaking everywhere, tests too.',
  'Change the separator from a comma to a semicolon.',
  'orderTotal must return null instead of throwing for an empty list. Update the tests.',
  'The cache should now expire after a minute; adapt the snapshots.',
])('%s asks for it', task => {
  expect(asksForChangedTests(task)).toBe(true);
});

it.each([
  'Fix the discount in orderTotal.',
  'Make the failing test pass; change the code to do so.',
  'Rename the option nbsp without changing the tests.',
  'Change the factor to 100. Do not touch the tests.',
  'Add a test for the empty list.',
  'See this log:\n```\nrename the option, tests too\n```\nFind the fault.',
])('%s does not', task => {
  expect(asksForChangedTests(task)).toBe(false);
});
