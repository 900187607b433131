import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import type { StageRun, TestRun } from '../../../src/verify/judge/test-run.ts';
import {
  failedCases,
  findWorseStage,
  flakyCases,
  judgeFailingTest,
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
    expect(newCases(before, after, run({ d: 'failed' }))).toEqual([{ id: 'd', failsOnBase: true }]);
    expect(newCases(before, after, after)).toEqual([{ id: 'd', failsOnBase: false }]);
  });

  it('are counted where they have one name', () => {
    const [old, now] = [
      run({ a: 'failed', 'a (2)': 'passed' }),
      run({ a: 'failed', 'a (2)': 'passed', 'a (3)': 'passed', 'a (4)': 'passed' }),
    ];
    const alone = run({ a: 'failed', 'a (2)': 'failed', 'a (3)': 'passed', 'a (4)': 'passed' });
    expect(newCases(old, now, alone)).toEqual([
      { id: 'a (3)', failsOnBase: true },
      { id: 'a (4)', failsOnBase: false },
    ]);
  });

  it('are none where a run does not list its cases', () => {
    expect(failedCases(unlisted) ?? 'unknown').toBe('unknown');
    expect(turnedGreen(unlisted, after)).toEqual([]);
    expect(newCases(unlisted, after, after)).toEqual([]);
    expect(newCases(before, unlisted, after)).toEqual([]);
  });
});

describe('a test that a look at the own patch gives', () => {
  /** A run of unittest: its exit status, and the cases that fail with their messages. */
  const unittest = (failing: Readonly<Record<string, string>>, more: Partial<TestRun> = {}) => {
    const failures = Object.keys(failing);
    const output = Object.entries(failing)
      .map(([id, text]) => `${'='.repeat(70)}\nFAIL: ${id}\n${'-'.repeat(70)}\n${text}\n`)
      .join('\n');
    const ran = { run: { exitCode: failures.length === 0 ? 0 : 1, limit: null }, failures, output };
    return { ...ran, cases: undefined, ...more } as unknown as TestRun;
  };
  const own = 'test_half (test_look.Look.test_half)';
  const old = 'test_price (test_price.Price.test_price)';
  const both = (more: Readonly<Record<string, string>>) =>
    unittest({ [own]: 'AssertionError: 1800 != 1600', ...more });
  const judge = async (base: TestRun, countsOtherFailures = true, head = both({})) => {
    const verdict = await judgeFailingTest({
      head: unittest({}),
      headWithTest: head,
      isNewFile: false,
      stem: 'test_look',
      baseWithTest: async () => base,
      countsOtherFailures,
    });
    return verdict.proven ?? verdict.why;
  };

  it('shows nothing if the tests of the base reach a limit', async () => {
    const run = { exitCode: null, limit: 'time' } as unknown as TestRun['run'];
    expect(await judge(unittest({}, { run }))).toBe('the tests reached a limit');
    expect(await judge(unittest({ [own]: 'ended by a signal' }, { run }))).toBe(
      'the tests reached a limit',
    );
  });

  it('shows something if it passes on the base, or fails there in other words', async () => {
    expect(await judge(unittest({}))).toBe('passes');
    expect(await judge(unittest({ [old]: 'AssertionError: 1 != 2' }))).toBe('passes');
    const other = { [old]: 'AssertionError: 1 != 2', [own]: 'AssertionError: -2000 != 1600' };
    expect(await judge(unittest(other))).toBe('fails-otherwise');
    expect(await judge(unittest(other), false)).toBe('the test fails on the base, too');
  });

  it('shows something if one of its cases passes on the base, whatever the others do', async () => {
    const further = 'test_all (test_look.Look.test_all)';
    const alike = { [further]: 'AssertionError: 3 != 4' };
    expect(await judge(unittest({ [old]: 'x', ...alike }), true, both(alike))).toBe('passes');
  });

  it('shows nothing if it fails alike there, or if the base cannot load it', async () => {
    const alike = { [old]: 'AssertionError: 1 != 2', [own]: 'AssertionError: 1800 != 1600' };
    expect(await judge(unittest(alike))).toBe('the test fails on the base, too');
    const unloaded = { 'test_look (unittest.loader._FailedTest.test_look)': 'ImportError: half' };
    expect(await judge(unittest(unloaded))).toBe('the test fails on the base, too');
    expect(await judge(unittest({ [old]: 'x' }, { failures: undefined }))).toBe(
      'the test fails on the base, too',
    );
  });
});

const stage = (exitCode: number, output = '', explained = false) =>
  ({ name: 'npm run lint', exitCode, output, explained }) as StageRun;

describe('a stage', () => {
  it('that fails with the patch alone is worse', () => {
    const worse = '"npm run lint" fails with the patch, and not without it.';
    expect(findWorseStage([stage(0)], [stage(1)])).toBe(worse);
    expect(findWorseStage([], [stage(1)])).toBe(worse);
  });

  it('that fails with a line of its own is worse, and the line is named', () => {
    const found = findWorseStage(
      [stage(1, 'a.js: unused\n')],
      [stage(1, 'a.js: unused\nb.js: odd\n')],
    );
    expect(found).toBe('"npm run lint" fails in another way than without the patch: b.js: odd');
  });

  it('that prints a line more often is worse', () => {
    expect(findWorseStage([stage(1, 'odd\n')], [stage(1, 'odd\nodd\n')])).toContain(': odd');
  });

  it('is not worse by other numbers, or in another folder', () => {
    const before = stage(1, '/tmp/one/src/a.js:10 unused (1.5 s)\n');
    expect(
      findWorseStage([before], [stage(1, '/home/two/src/a.js:12 unused (2.25 s)\n')]),
    ).toBeUndefined();
  });

  it('that passes, or whose failure the cases explain, is not looked at', () => {
    expect(findWorseStage([stage(0)], [stage(0, 'odd\n')])).toBeUndefined();
    expect(findWorseStage([stage(0)], [stage(1, 'odd\n', true)])).toBeUndefined();
  });
});
