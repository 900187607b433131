import { describe, expect, it } from 'vitest';
import { dropWith, dropWithout, judgeCommit } from '../../src/evaluation/proof.ts';
import { testRun } from './results.ts';

describe('the proof of a commit', () => {
  const red = testRun({ old: 'passed', fresh: 'failed' });
  const green = testRun({ old: 'passed', fresh: 'passed' });

  it('names the cases that turn green, and those that stay so', () => {
    expect(dropWithout(red)).toBe(null);
    expect(dropWith(green)).toBe(null);
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
    const fails = testRun(null, 1);
    expect(judgeCommit([fails, fails], [testRun(null), testRun(null)])).toMatchObject({
      isTask: true,
      failing: [],
    });
    const same = testRun({ old: 'passed' }, 1);
    expect(
      judgeCommit([same, same], [testRun({ old: 'passed' }), testRun({ old: 'passed' })]),
    ).toMatchObject({ isTask: false, reason: 'no test case fails without its source' });
  });
});
