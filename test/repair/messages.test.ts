/** The texts of the embedded engine say what it found, tried and refused. */
import { describe, expect, it } from 'vitest';
import { type Diagnosis, explainPassing } from '../../src/repair/investigate.ts';
import {
  describeRepair,
  explainNothingFound,
  foundBySearch,
  nothingTried,
} from '../../src/repair/messages.ts';
import type { CaseResult } from '../../src/repair/runners/test-runner.ts';
import { survivor, textOf } from './survivors.ts';

it('a comment is no suspicious line', () => {
  const path = 'a.js';
  const suspects = ['// a comment', 'return 1;', '', '/** one */', '}'].map((_, i) => ({
    path,
    line: i + 1,
    score: 1,
  }));
  const file = new Map([[path, '// a comment\nreturn 1;\n\n/** one */\n}\n']]);
  const diagnosis = {
    adapter: {},
    failed: [],
    passed: 1,
    suspects,
    textOf: file,
  } as unknown as Diagnosis;
  const found = { ...nothingTried, milliseconds: 1 };
  const repair = describeRepair(diagnosis, found);
  expect(repair.suspects.map(s => s.line)).toEqual([2, 3]);
});

/** Nothing fails, and nothing is suspected. */
const diagnosis = {
  adapter: {},
  failed: [],
  passed: 1,
  suspects: [],
  textOf,
} as unknown as Diagnosis;

it('a failing test is shown with what it compared, or its message', () => {
  const failed: CaseResult = {
    id: 'a > x',
    file: 'a',
    status: 'failed',
    message: 'Expected values to be equal\nexpected: 2\nactual: 1\n',
  };
  const thrown: CaseResult = { id: 'a > y', file: 'a', status: 'failed', message: 'no\n  b' };
  const diagnosis = { adapter: {}, failed: [failed, thrown], passed: 1, suspects: [], textOf };
  const found = { ...nothingTried, choices: [survivor('four')], tried: 7 };
  expect(describeRepair(diagnosis as unknown as Diagnosis, found)).toMatchObject({
    failures: [
      { test: 'a > x', shown: 'got 1, expected 2' },
      { test: 'a > y', shown: 'no b' },
    ],
    tried: 7,
  });
});

it('an edit that alone passes is the patch, and its one warning says how it was found', () => {
  const found = { ...nothingTried, choices: [survivor('four')], tried: 7 };
  expect(describeRepair(diagnosis, found)).toMatchObject({
    edit: { after: 'four + two + three;' },
    alternatives: [],
    warnings: [foundBySearch],
  });
});

it('edits of different meaning that pass are both shown, and neither is the patch', () => {
  const found = { ...nothingTried, choices: [survivor('four'), survivor('five', 1)], tried: 7 };
  const repair = describeRepair(diagnosis, found);
  expect(repair).toMatchObject({ edit: undefined, warnings: [] });
  expect(repair.alternatives.map(e => e.after)).toEqual([
    'four + two + three;',
    'five + two + three;',
  ]);
  expect(explainNothingFound(diagnosis, found)).toMatch(
    /2 of different meaning pass all tests, so the tests do not say which one is right: `four \+ two \+ three;` \(a\.js:1\); `five \+ two \+ three;` \(a\.js:1\)\. A test/,
  );
});

describe('what is said where no test fails', () => {
  const said = (exitCode: number, output: string) => explainPassing(3, { exitCode, output });

  it('says what else of the test command fails, in its words', () => {
    expect(said(2, 'src/a.ts(3,5): error TS2322: Type.\nFound 1.\n')).toBe(
      'No test fails (3 pass), but the test command does: src/a.ts(3,5): error TS2322: Type.',
    );
  });

  it('is that nothing fails where all of it passes', () => {
    expect(said(0, '')).toBe('No test fails (3 pass), so there is nothing to repair.');
  });
});
