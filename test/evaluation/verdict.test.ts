/** The judgement of a played task. */
import { describe, expect, it } from 'vitest';
import {
  countRefusals,
  dropWith,
  dropWithout,
  judgeCommit,
  judgeOutcome,
  judgePatch,
  plainName,
} from '../../src/evaluation/verdict.ts';
import { testRun } from './results.ts';

describe('the verdict', () => {
  const expected = { failing: ['fresh'], passing: ['old'], wholeCommand: true };

  it.each([
    ['every case passes', { old: 'passed', fresh: 'passed' }, true],
    ['the hidden test fails', { old: 'passed', fresh: 'failed' }, false],
    ['something fails that passed', { old: 'failed', fresh: 'passed' }, false],
    ['the hidden test is gone', { old: 'passed' }, false],
    ['the hidden test is skipped', { old: 'passed', fresh: 'skipped' }, false],
  ] as const)('when %s', (_, cases, solved) => {
    expect(judgePatch(testRun(cases), expected).solved).toBe(solved);
  });

  it('counts the exit status of the whole command, except for a task file', () => {
    const ends = testRun({ old: 'passed', fresh: 'passed' }, 1);
    expect(judgePatch(ends, expected).solved).toBe(false);
    expect(judgePatch(ends, { ...expected, wholeCommand: false }).solved).toBe(true);
    expect(judgePatch(testRun(undefined), expected).solved).toBe(undefined);
    const plain = { failing: [], passing: [], wholeCommand: true };
    expect(judgePatch(testRun(undefined), plain).solved).toBe(true);
    expect(judgePatch(testRun(undefined, 1), plain).solved).toBe(false);
  });

  it('is none where the names of a task file match no case', () => {
    const foreign = { failing: ['tests/test_a.py::test_b'], passing: [], wholeCommand: false };
    expect(judgePatch(testRun({ other: 'passed' }), foreign).solved).toBe(undefined);
    expect(judgePatch(testRun(undefined), foreign).solved).toBe(undefined);
    expect(judgePatch(testRun({ 'tests.test_a > test_b': 'passed' }), foreign).solved).toBe(true);
    expect(plainName('tests/test_a.py::T::test_b[1]')).toBe(
      plainName('tests.test_a.T > test_b[1]'),
    );
  });

  it('follows the ending of the run', () => {
    const by = (
      status: Parameters<typeof judgeOutcome>[0]['status'],
      solved: boolean | undefined,
    ) => judgeOutcome({ status }, { solved, note: '' });
    expect(by('committed', true)).toBe('solved');
    expect(by('committed', false)).toBe('wrong');
    expect(by('committed', undefined)).toBe('failed');
    expect(judgeOutcome({ status: 'no_change' }, undefined)).toBe('abstained');
    expect(judgeOutcome({ status: 'needs_clarification' }, undefined)).toBe('abstained');
    expect(judgeOutcome({ status: 'rolled_back' }, undefined)).toBe('failed');
  });

  it('counts refusals by rule', () => {
    const decision = { section: '§3', tool: 'plan', severity: 'correct' as const };
    const refused = { ...decision, state: 'abstain' as const, code: 'PLAN_SCOPE' as const };
    const degraded = {
      ...decision,
      state: 'degrade' as const,
      code: 'INTERNAL' as const,
      count: 9,
    };
    expect(
      countRefusals({ decisions: [{ ...refused, count: 2 }, { ...refused, count: 1 }, degraded] }),
    ).toEqual({ PLAN_SCOPE: 3 });
  });
});

describe('the proof of a commit', () => {
  const red = testRun({ old: 'passed', fresh: 'failed' });
  const green = testRun({ old: 'passed', fresh: 'passed' });

  it('names the cases that turn green, and those that stay so', () => {
    expect(dropWithout(red)).toBe(undefined);
    expect(dropWith(green)).toBe(undefined);
    expect(judgeCommit([red, red], [green, green])).toEqual({
      isTask: true,
      failing: ['fresh'],
      passing: ['old'],
    });
  });

  it('needs a failure without the source, and none with it', () => {
    expect(dropWithout(green)).toMatchObject({ isTask: false });
    expect(dropWith(red)).toMatchObject({ isTask: false, detail: 'fresh: ' });
    const slow = { ...red, run: { ...red.run, limit: 'time' as const } };
    expect(dropWithout(slow)).toMatchObject({ reason: 'its tests reach the time limit' });
  });

  it('drops what is not the same in the second run', () => {
    const other = testRun({ old: 'failed', fresh: 'failed' });
    const flaky = { isTask: false, reason: 'its tests are flaky', detail: '' };
    expect(judgeCommit([red, other], [green, green])).toEqual(flaky);
    expect(judgeCommit([red, red], [green, red])).toEqual(flaky);
    expect(judgeCommit([red, green], [green, green])).toEqual(flaky);
  });

  it('works where no cases are listed, and drops a failure that no case explains', () => {
    const fails = testRun(undefined, 1);
    expect(judgeCommit([fails, fails], [testRun(undefined), testRun(undefined)])).toMatchObject({
      isTask: true,
      failing: [],
    });
    const same = testRun({ old: 'passed' }, 1);
    expect(
      judgeCommit([same, same], [testRun({ old: 'passed' }), testRun({ old: 'passed' })]),
    ).toMatchObject({ isTask: false, reason: 'no test case fails without its source' });
  });
});
