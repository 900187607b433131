/** Tests which tasks speak of a failing test: only for these a base without a failure is worth a warning. */
import { describe, expect, it } from 'vitest';
import { speaksOfFailingTest } from '../../../src/verify/judge/failing-task.ts';

describe('a task that speaks of a failing test', () => {
  it.each([
    'Make the failing test pass.',
    'Repair the failing test',
    'The discount test of orderTotal in src/price.js fails. Repair it.',
    'test/price.test.js is red: one test fails.',
    'Two specs are failing since Monday.',
    'The suite does not pass on main.',
    'Fix the failed unit tests.\n\nLater, look at the README.',
  ])('%s', task => expect(speaksOfFailingTest(task)).toBe(true));
});

describe('a task that does not', () => {
  it.each([
    'Round half a cent up in orderTotal.',
    'Add a failing test for the discount.',
    'Rename total. No test may fail.',
    'Make sure that the tests do not fail.',
    'Run the tests. When one fails, find the cause and repair it.',
    'Say in the README what a test is. Deployments fail at night.',
    'Explain this:\n```\n1 test failed\n```\n',
  ])('%s', task => expect(speaksOfFailingTest(task)).toBe(false));
});
