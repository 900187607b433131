/** Tasks of a person who asks for something that changes what tests expect, and others. */
import { describe, expect, it } from 'vitest';
import templates from '../../../prompts/templates.json' with { type: 'json' };
import {
  howToPermit,
  mayChangeTests,
  speaksOfFailingTest,
  wantsMore,
  withPermission,
} from '../../../src/verify/judge/asked-changes.ts';

describe('a task that speaks of a failing test', () => {
  it.each([
    'Make the failing test pass.',
    'The discount test of orderTotal in src/price.js fails. Repair it.',
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
    'Run the tests. When one fails, find the cause and repair it.',
    'Say in the README what a test is. Deployments fail at night.',
    'Explain this:\n```\n1 test failed\n```\n',
  ])('%s', task => expect(speaksOfFailingTest(task)).toBe(false));
});

it.each<[string, string, string, boolean]>([
  ['Round half a cent up.', 'a.test.js > tax of Norway', '', false],
  ['Repair the tax of Norway.', 'a.test.js > tax of Norway', '', true],
  ['Say what total adds up.', 'a.test.js > adds', '', false],
  ['The test "adds" fails.', 'a.test.js > adds', '', true],
  ['Make the failing test pass.', 'a.test.js > adds', 'a.test.js > rounds', true],
  ['Get the tests green.', 'adds', 'rounds', true],
  ['test_x fails. Repair it.', 'tests/t.py::test_y', 'tests/t.py::test_x', false],
  ['test_x (a.B) fails.', 'test_y (a.B)', 'test_x (a.B)', false],
  ['The tests in tests/t.py fail.', 'tests/t.py::test_y', 'tests/t.py::test_x', true],
])('whether "%s" wants %s repaired beside %j', (task, failing, repaired, wanted) => {
  expect(wantsMore(task, { failing: [failing], repaired: [repaired] })).toBe(wanted);
});

const asks = (task: string) => mayChangeTests({ task, approved: [] }, ['test/a.test.js']);

it.each([
  'Rename the option nbsp to nonBreaking everywhere, tests too.',
  'Change the separator from a comma to a semicolon.',
  'orderTotal must return null instead of throwing for an empty list. Update the tests.',
  'The parser should no longer trim; the tests may change.',
  'Deprecate `--old`.',
])('%s asks for it', task => {
  expect(asks(task)).toBe(true);
});

it.each([
  'Fix the discount in orderTotal.',
  'Make the failing test pass; change the code to do so.',
  'Rename the option nbsp without changing the tests.',
  'Change the factor to 100. Do not touch the tests.',
  'Add a test for the empty list.',
  // a report of what goes wrong
  'The parser crashes instead of returning null.',
  'The watcher no longer sees it when somebody is renaming a file.',
  // about a test that fails, whatever else it says
  'CI is red. Rename whatever you must, and update the tests.',
  'Get the tests green. Rename a to b, tests too.',
  'AssertionError: 1 != 2. Change the result from 1 to 2.',
  // the words of others
  'See this log:\n```\nrename the option, tests too\n```\nFind the fault.',
  'Do what this says:\n\n> Rename the option, tests too.\n',
  'Fix what "Rename the option, tests too" means.',
  'Fix it. <!-- Rename the option, tests too. -->',
])('%s does not', task => {
  expect(asks(task)).toBe(false);
});

it.each([
  'Make the failing test pass. The tests may change.',
  'Change nothing in the tests.\n\nAnswer by maria: yes\nThe tests may change.',
])('%s permits it in so many words', task => {
  expect(asks(task)).toBe(true);
});

it.each([
  'Make the failing test pass. None of the tests may change.',
  'The tests may change. No: leave the tests as they are.',
  'CI is red.\n\n> The tests may change.\n',
])('%s permits nothing', task => {
  expect(asks(task)).toBe(false);
});

const question = `May the test expect 90?\n${howToPermit}\n1. Update the test\n2. Keep the test as it is`;

it.each(['yes', 'Yes, go ahead', '1', '1, please', 'Update the tests.', 'The tests may change.'])(
  'the answer %s to a question for changed tests permits them, in a task about a failing test',
  answer => {
    expect(asks(`Fix the failing test.\n\nAnswer by m: ${withPermission(answer, question)}`)).toBe(
      true,
    );
  },
);

it.each(['no', '2', 'Yes, but keep the tests.', '1? No, not that.', 'Why?', ''])(
  'the answer %s to it permits nothing',
  answer => {
    expect(withPermission(answer, question)).toBe(answer);
  },
);

it('yes to another question permits nothing', () => {
  expect(withPermission('yes', 'Which of the two files is obsolete?')).toBe('yes');
});

it('a person who approved a plan with each of the files asks for it, but not where a test fails', () => {
  const [task, approved] = ['Fix the discount.', ['src/a.js', 'test/a.test.js']];
  expect(mayChangeTests({ task, approved }, ['test/a.test.js'])).toBe(true);
  expect(mayChangeTests({ task, approved }, ['test/a.test.js', 'test/b.test.js'])).toBe(false);
  expect(mayChangeTests({ task, approved }, [])).toBe(false);
  expect(mayChangeTests({ task: 'Fix the failing test.', approved }, ['test/a.test.js'])).toBe(
    false,
  );
});

it('no text that Photon writes into a task asks for it', () => {
  const texts = Object.values(templates).filter(text => typeof text === 'string');
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter(text => asks(text.replace(/\{\w+\}/g, 'x')))).toEqual([]);
});
