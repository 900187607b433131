import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import type { TestRun } from '../../../src/verify/judge/test-run.ts';
import {
  failedCases,
  flakyCases,
  newCases,
  turnedGreen,
} from '../../../src/verify/judge/test-run.ts';

/** A run with cases by their status; without any, one that lists none. */
const run = (cases: Readonly<Record<string, TestCase['status']>>) =>
  ({ cases: Object.entries(cases).map(([id, status]) => ({ id, status })) }) as unknown as TestRun;
const unlisted = { cases: undefined } as unknown as TestRun;

describe('cases of several runs', () => {
  it('are flaky if they passed in one run and failed in another', () => {
    const runs = [
      run({ a: 'passed', b: 'failed', c: 'passed' }),
      run({ a: 'failed', b: 'failed' }),
    ];
    expect(flakyCases(runs)).toEqual(['a']);
  });

  it('are not flaky if one run left them out or skipped them', () => {
    expect(flakyCases([run({ a: 'passed' }), run({ a: 'skipped' }), unlisted])).toEqual([]);
  });
});

describe('cases before and after a patch', () => {
  const before = run({ a: 'failed', b: 'passed', c: 'failed' });
  const after = run({ a: 'passed', b: 'passed', c: 'failed', d: 'passed', e: 'failed' });

  it('turn green, stay failed, or are new', () => {
    expect(turnedGreen(before, after)).toEqual(['a']);
    expect(failedCases(after)).toEqual(['c', 'e']);
    // a new case that fails shows nothing
    expect(newCases(before, after)).toEqual(['d']);
  });

  it('are none where a run does not list its cases', () => {
    expect(failedCases(unlisted) ?? 'unknown').toBe('unknown');
    expect(turnedGreen(unlisted, after)).toEqual([]);
    expect(newCases(unlisted, after)).toEqual([]);
    expect(newCases(before, unlisted)).toEqual([]);
  });
});
