import { describe, expect, it } from 'vitest';
import type { TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import { type CaseExpectations, whyIncomplete } from '../../../src/verify/judge/completeness.ts';
import type { TestRun } from '../../../src/verify/judge/test-run.ts';

const usual: CaseExpectations = { holdsTests: () => true, fewer: false, otherRunner: false };
const passed = (...ids: readonly string[]): readonly TestCase[] =>
  ids.map(id => ({ id, status: 'passed' as const }));
const ran = (more: object = {}): TestRun =>
  ({
    cases: undefined,
    reported: false,
    reportTooLarge: false,
    emptyFiles: [],
    summaries: [],
    run: { exitCode: 0 },
    ...more,
  }) as unknown as TestRun;
const summary = (count: number, failed = 0, runner = 'jest') => ({
  summaries: [{ runner, ran: count, failed }],
});

describe('a run', () => {
  it('that ends like the one before is complete', () => {
    const run = ran({ ...summary(3), cases: passed('a', 'b') });
    expect(whyIncomplete(run, run, usual)).toBeUndefined();
  });

  it('whose runner ran fewer cases, or did not finish, is incomplete', () => {
    expect(whyIncomplete(ran(summary(3)), ran(summary(2)), usual)).toBe(
      'jest ran 2 test cases; before the patch, it ran 3.',
    );
    expect(whyIncomplete(ran(summary(3)), ran(), usual)).toContain('jest did not finish');
  });

  it('may have fewer cases or another runner if the task or the patch says so', () => {
    expect(
      whyIncomplete(ran(summary(3)), ran(summary(2)), { ...usual, fewer: true }),
    ).toBeUndefined();
    const other = ran(summary(3, 0, 'vitest'));
    expect(whyIncomplete(ran(summary(3)), other, { ...usual, otherRunner: true })).toBeUndefined();
    expect(whyIncomplete(ran(summary(3)), other, usual)).toContain('jest did not finish');
  });

  it('that ends with 0 although its runner counted failures is incomplete', () => {
    expect(whyIncomplete(ran(), ran(summary(3, 1)), usual)).toContain('exit 0');
    expect(whyIncomplete(ran(summary(3, 1)), ran(summary(3, 1)), usual)).toBeUndefined();
  });

  it('with a file that ended before its tests is incomplete', () => {
    const empty = ran({ emptyFiles: ['a.test.js'] });
    expect(whyIncomplete(ran(), empty, usual)).toBe('a.test.js ended before its tests ran.');
    expect(whyIncomplete(empty, empty, usual)).toBeUndefined();
    expect(whyIncomplete(ran(), empty, { ...usual, holdsTests: () => false })).toBeUndefined();
  });

  it('that lost cases of its report, or the report, is incomplete', () => {
    const before = ran({ cases: passed('a', 'b'), reported: true });
    expect(whyIncomplete(before, ran({ cases: passed('a') }), usual)).toBe(
      '1 test cases ran; before the patch, 2 ran.',
    );
    expect(whyIncomplete(before, ran(), usual)).toContain('wrote no report');
    expect(whyIncomplete(before, ran({ reportTooLarge: true }), usual)).toBeUndefined();
  });

  it('does not miss the failure of a file or a hook', () => {
    const failed = (id: string) => ({ id, status: 'failed' as const });
    const before = ran({
      cases: [failed('src/a.test.js'), failed('s "before each" hook'), ...passed('a')],
    });
    expect(whyIncomplete(before, ran({ cases: passed('a') }), usual)).toBeUndefined();
  });
});
