import { describe, expect, it } from 'vitest';
import {
  endsAs,
  judgeVerification,
  type VerificationFacts,
} from '../../../src/verify/judge/judge.ts';
import type { TestRun } from '../../../src/verify/judge/test-run.ts';
import type { WhatRan } from '../../../src/verify/reports/run-summary.ts';

describe('the judgement of runs', () => {
  interface RunFixture extends Partial<Omit<TestRun, 'run' | 'cases'>> {
    readonly exit?: number | null;
    readonly limit?: 'time';
    readonly cases?: readonly ('passed' | 'failed' | 'skipped')[];
  }
  const ran = ({ exit = 0, limit, cases, ...rest }: RunFixture = {}): TestRun => ({
    run: {
      command: 'x',
      exitCode: exit,
      limit: limit ?? null,
      refusedConnections: null,
      durationMs: 1,
      outputTail: '',
      passed: exit === 0,
    },
    cases: cases?.map((status, i) => ({ id: `c${i}`, status })),
    reportTooLarge: false,
    summaries: [],
    ran: kindOf(cases, rest.summaries),
    emptyFiles: [],
    reported: true,
    failures: undefined,
    stages: [{ name: 'x', exitCode: exit ?? undefined, explained: exit !== 0, output: '' }],
    ...rest,
  });
  function kindOf(cases: RunFixture['cases'], summaries: TestRun['summaries'] = []): WhatRan {
    const counts = (cases?.length ?? 0) > 0 || summaries.some(s => s.ran > 0);
    return { kind: counts ? 'cases' : 'unknown' };
  }
  const ends = (runner: string, count: number, failed = 0) => ({ runner, ran: count, failed });
  const node = (count: number, failed = 0) => ({ summaries: [ends('node:test', count, failed)] });
  const nothingLost = { names: [], requested: false };
  const judge = (evidence: Partial<VerificationFacts>) =>
    judgeVerification({
      require: 'pass',
      testChanges: 'rollback',
      before: ran({ exit: 1 }),
      after: ran(),
      withBaseTests: undefined,
      lost: nothingLost,
      flaky: [],
      holdsTests: () => true,
      otherRunner: false,
      failingTask: false,
      wantsMore: () => false,
      hasCounted: false,
      strict: false,
      ...evidence,
    });
  const red = (failures: readonly string[]) => ran({ exit: 1, failures });

  it('a run without a part of the patch is compared by its failures where the tests fail with the patch, too', () => {
    const failing = (...cases: readonly ('passed' | 'failed')[]) => ran({ exit: 1, cases });
    expect(endsAs(ran(), ran())).toBe(true);
    expect(endsAs(ran(), failing('failed'))).toBe(false);
    const after = failing('passed', 'failed');
    expect(endsAs(after, failing('passed', 'failed'))).toBe(true);
    expect(endsAs(after, failing('failed', 'failed'))).toBe(false);
    expect(endsAs(after, ran({ exit: 1 }))).toBeUndefined();
  });
  /** Nine cases, of which these fail. */
  const reds = (...failures: string[]) => ran({ exit: 1, failures, ...node(9, failures.length) });
  const linted = (exit: number, output: string) =>
    ran({
      exit,
      cases: ['passed'],
      stages: [
        { name: 'lint', exitCode: exit, explained: false, output },
        { name: 'mocha', exitCode: 0, explained: false, output: '' },
      ],
    });
  const changed = ['a', 'b'].map(text => ({
    mode: '100644' as const,
    bytes: Buffer.from(`test('c0', () => is(${text}));\n`),
  }));
  const asked = {
    testChanges: 'asked' as const,
    before: ran({ cases: ['passed', 'passed'] }),
    after: ran({ cases: ['passed', 'passed'] }),
    askedChanges: [{ path: 'a.test.js', before: changed[0], after: changed[1] }],
  };
  const oneFails: RunFixture = { exit: 1, cases: ['failed', 'passed'] };
  const secondFails: RunFixture = { exit: 1, cases: ['passed', 'failed'] };
  const oneSkipped: RunFixture = { exit: 1, cases: ['failed', 'skipped', 'passed'] };
  const otherFails: RunFixture = { exit: 1, cases: ['skipped', 'passed', 'failed'] };
  const noRegression = { require: 'no-regression' as const };
  const flag = { testChanges: 'flag' as const };
  const missed = { exit: 1, output: 'Coverage for lines (50%) does not meet threshold (80%)' };
  const empty: RunFixture = { ran: { kind: 'none', words: 'no tests ran in 0.01s' } };

  it.each<[string, Partial<VerificationFacts>, string | undefined]>([
    ['exit 0 passes', {}, undefined],
    ['exit 1 fails', { after: ran({ exit: 1 }) }, 'VERIFY_FAILED'],
    ['a time limit fails', { after: ran({ exit: null, limit: 'time' }) }, 'VERIFY_FAILED'],
    [
      'passed cases do not override the exit status',
      { after: ran({ exit: 1, cases: ['passed'] }) },
      'VERIFY_FAILED',
    ],
    [
      'a patch that passes only with its own tests fails',
      { withBaseTests: ran({ exit: 1 }) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'unless a person asked for it, as far as the cases passed before',
      { ...asked, withBaseTests: ran(oneFails) },
      undefined,
    ],
    [
      'nobody asked',
      { ...asked, askedChanges: undefined, withBaseTests: ran(oneFails) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'a case that failed before is repaired, and not changed',
      { ...asked, before: ran(oneFails), withBaseTests: ran(oneFails) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'nobody knows what failed before',
      { ...asked, before: ran({ exit: 1 }), withBaseTests: ran(oneFails) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'a run with the tests of the base that never ends shows nothing',
      { ...asked, withBaseTests: ran({ exit: null, limit: 'time' }) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'a run with the tests of the base that leaves cases out shows nothing',
      { ...asked, withBaseTests: ran({ cases: ['passed'] }) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'asked, and with the tests of the patch one fails',
      { ...asked, after: ran(oneFails), withBaseTests: ran(oneFails) },
      'VERIFY_FAILED',
    ],
    ['unless the setting accepts it', { ...flag, withBaseTests: ran({ exit: 1 }) }, undefined],
    [
      'no-regression: the same failures pass',
      { ...noRegression, before: ran(oneFails), after: ran(oneFails) },
      undefined,
    ],
    ['the failures of the base fail no patch', { before: reds('a'), after: reds('a') }, undefined],
    ['and one of them may pass', { before: reds('a', 'b'), after: reds('a') }, undefined],
    ...(
      [
        ['one red is exchanged for another', { before: reds('a'), after: reds('b') }],
        ['one more fails', { before: reds('a'), after: reds('a', 'b') }],
        ['the base is green', { before: ran(node(9)), after: reds('a') }],
        ['the failures of the base are not named', { before: ran({ exit: 1 }), after: reds('a') }],
        ['those with the patch are not named', { before: reds('a'), after: ran({ exit: 1 }) }],
        ['a case has no name', { before: reds('a', ''), after: reds('') }],
        ['a case is flaky', { before: reds('a'), after: reds('a'), flaky: ['a'] }],
        ['nothing passes', { before: reds('a'), after: { ...reds('a'), ...node(1, 1) } }],
        [
          'the base ends at a limit',
          {
            before: { ...reds('a'), run: ran({ exit: null, limit: 'time' }).run },
            after: reds('a'),
          },
        ],
        [
          'the task wants it repaired',
          { before: reds('a'), after: reds('a'), wantsMore: () => true },
        ],
        ['each line must be shown', { before: reds('a'), after: reds('a'), strict: true }],
        ['a case that passed is skipped', { before: ran(oneFails), after: ran(oneSkipped) }],
        ['a red case is gone', { before: ran(oneFails), after: ran(otherFails) }],
      ] satisfies [string, Partial<VerificationFacts>][]
    ).map(([name, facts]): [string, Partial<VerificationFacts>, string] => [
      `they do if ${name}`,
      facts,
      'VERIFY_FAILED',
    ]),
    [
      'they do if fewer cases ran',
      { before: reds('a'), after: { ...reds('a'), ...node(8, 1) } },
      'VERIFY_INCOMPLETE',
    ],
    [
      'a test of the base that the patch breaks and changes fails it all the same',
      { before: reds('a'), after: reds('a'), withBaseTests: reds('a', 'b') },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'no-regression: a new failure fails',
      { ...noRegression, before: ran(oneFails), after: ran(secondFails) },
      'VERIFY_FAILED',
    ],
    [
      'no-regression: a missing case fails',
      { ...noRegression, before: asked.before, after: ran({ cases: ['passed'] }) },
      'VERIFY_INCOMPLETE',
    ],
    [
      'no-regression: the same named failures pass',
      { ...noRegression, before: red(['a', 'b']), after: red(['a']) },
      undefined,
    ],
    [
      'no-regression: another named failure fails',
      { ...noRegression, before: red(['a', 'b']), after: red(['c']) },
      'VERIFY_FAILED',
    ],
    [
      'no-regression: a lint that fails as before passes',
      { ...noRegression, before: linted(1, 'a.js:3 unused'), after: linted(1, 'a.js:4 unused') },
      undefined,
    ],
    [
      'no-regression without reports needs exit 0',
      { ...noRegression, after: ran({ exit: 1 }) },
      'VERIFY_REPORT_MISSING',
    ],
    [
      'no-regression with a report beyond the limits',
      { ...noRegression, after: ran({ exit: 1, reportTooLarge: true }) },
      'VERIFY_REPORT_LIMIT',
    ],
    [
      'no-regression with a time limit reached fails',
      {
        ...noRegression,
        before: ran({ cases: [] }),
        after: ran({ exit: null, limit: 'time', cases: [] }),
      },
      'VERIFY_FAILED',
    ],
    ...[null, 137, 143, 139].map((exit): [string, Partial<VerificationFacts>, string] => [
      `no-regression: a killed runner fails (${exit})`,
      { ...noRegression, before: ran(oneFails), after: ran({ ...oneFails, exit }) },
      'VERIFY_FAILED',
    ]),
    [
      'no-regression: the tests of the base count, too',
      {
        ...noRegression,
        before: ran(oneFails),
        after: ran(oneFails),
        withBaseTests: ran({ exit: 1, cases: ['failed', 'failed'] }),
      },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'a runner that did not finish',
      { before: ran({ exit: 1, ...node(2, 1) }), after: ran() },
      'VERIFY_INCOMPLETE',
    ],
    [
      'more runners, because the first one failed before',
      {
        before: ran({ exit: 1, ...node(9, 1) }),
        after: ran({ summaries: [ends('node:test', 9), ends('mocha', 2)] }),
      },
      undefined,
    ],
    [
      'a second runner that is missing',
      {
        before: ran({ exit: 1, summaries: [ends('node:test', 9), ends('mocha', 2, 1)] }),
        after: ran(node(9)),
      },
      'VERIFY_INCOMPLETE',
    ],
    [
      'another runner that the patch introduces',
      {
        before: ran({ exit: 1, ...node(2, 1) }),
        after: ran({ summaries: [ends('vitest', 2)] }),
        otherRunner: true,
      },
      undefined,
    ],
    [
      'no runner, if the patch changes how the tests start',
      { before: ran({ exit: 1, ...node(2, 1) }), after: ran(), otherRunner: true },
      'VERIFY_INCOMPLETE',
    ],
    [
      'a test file that ended before its tests',
      { after: ran({ emptyFiles: ['test/a.test.js'] }) },
      'VERIFY_INCOMPLETE',
    ],
    [
      'a missing report',
      { before: ran({ exit: 1, cases: ['failed'] }), after: ran() },
      'VERIFY_INCOMPLETE',
    ],
    [
      'a bound on coverage that only the tests of the patch reach',
      { before: ran(node(3)), after: ran(node(5)), withBaseTests: ran({ ...missed, ...node(3) }) },
      undefined,
    ],
    [
      'a command that fails without a failing case, and with fewer that pass',
      { before: ran(node(3)), after: ran(node(5)), withBaseTests: ran({ ...missed, ...node(2) }) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'a command that fails without a failing case, and for another reason',
      { before: ran(node(3)), after: ran(node(5)), withBaseTests: ran({ exit: 1, ...node(3) }) },
      'VERIFY_TESTS_CHANGED',
    ],
    [
      'a report that has grown beyond the limits',
      { before: ran({ exit: 1, cases: ['failed'] }), after: ran({ reportTooLarge: true }) },
      'VERIFY_REPORT_LIMIT',
    ],
    [
      'a report that was beyond the limits before, too',
      { before: ran({ exit: 1, reportTooLarge: true }), after: ran({ reportTooLarge: true }) },
      undefined,
    ],
    [
      'removed tests that the task does not mention',
      { lost: { names: ['a'], requested: false } },
      'VERIFY_INCOMPLETE',
    ],
    [
      'removed tests that the task names',
      {
        before: ran({ exit: 1, ...node(2, 1) }),
        after: ran(node(1)),
        lost: { names: ['a'], requested: true },
      },
      undefined,
    ],
    [
      'removed tests that the setting accepts',
      { ...flag, withBaseTests: ran(), lost: { names: ['a'], requested: false } },
      undefined,
    ],
    [
      'a command that ran no test case',
      { before: ran(empty), after: ran(empty) },
      'VERIFY_NO_TESTS',
    ],
    [
      'a command that failed before and runs no test case now',
      { after: ran(empty) },
      'VERIFY_NO_TESTS',
    ],
    [
      'the first tests of a project, which the base does not have',
      {
        before: ran({ exit: 5, ...empty }),
        after: ran(node(1)),
        withBaseTests: ran({ exit: 5, ...empty }),
      },
      undefined,
    ],
    ['a script that passes with and without the patch', { before: ran() }, 'VERIFY_NOT_SHOWN'],
    [
      'the same for a task that speaks of a failing test',
      { before: ran(), failingTask: true },
      'VERIFY_NO_TESTS',
    ],
    ['the same where each line must be shown', { before: ran(), strict: true }, 'VERIFY_NO_TESTS'],
    ['a script that failed without the patch', { failingTask: true }, undefined],
  ])('%s', (_name, evidence, code) =>
    expect(judge(evidence)).toMatchObject({ passed: code === undefined, code }),
  );

  it('what an earlier run showed is not denied', () => {
    const [said = ''] = judge({ before: ran(), hasCounted: true }).warnings;
    expect(said).toContain('shows no test case any more, though it did with an earlier patch');
  });

  it('only a script that passes with and without the patch leaves it unjudged', () => {
    expect(judge({ before: ran() }).unjudged).toBe(true);
    for (const evidence of [{}, { before: ran(), strict: true }, { after: ran({ exit: 1 }) }])
      expect(judge(evidence).unjudged ?? false).toBe(false);
  });

  it.each<[string, Partial<VerificationFacts>]>([
    [
      'a report that decides over failing tests',
      { ...noRegression, before: ran(oneFails), after: ran(oneFails) },
    ],
    ['removed tests that the task names', { lost: { names: ['a'], requested: true } }],
    [
      'removed tests that the setting accepts',
      { ...flag, withBaseTests: ran(), lost: { names: ['a'], requested: false } },
    ],
    ['that nothing judged the patch', { before: ran() }],
    [
      'that no test failed without the patch, though the task speaks of one',
      { before: ran(node(2)), after: ran(node(2)), failingTask: true },
    ],
    [
      'that every case that ran is of the patch',
      { before: ran(empty), after: ran(node(1)), withBaseTests: ran(empty) },
    ],
    ['a pass with its own tests only', { ...flag, withBaseTests: ran({ exit: 1 }) }],
  ])('a warning mentions %s', (_name, evidence) =>
    expect(judge(evidence).warnings).toHaveLength(1),
  );
  it('the first warning names the failures of the base, and counts what passes now', () => {
    const { warnings, sameFailures } = judge({
      before: reds('a', 'b', 'c'),
      after: reds('a', 'b'),
    });
    expect(sameFailures).toEqual(['a', 'b']);
    expect(warnings).toEqual([
      '2 tests fail with and without this patch: a; b; nothing new fails, 1 more passes.',
      expect.stringMatching(/^The tests still fail\. .* the program under test can forge it\.$/),
    ]);
    expect(judge({ before: reds('a', 'b'), after: reds('a', 'b') }).warnings[0]).toBe(
      '2 tests fail with and without this patch: a; b; nothing new fails.',
    );
  });

  it('a plain pass needs no warning', () => expect(judge({}).warnings).toEqual([]));

  it('names what a person asked to change first, old and new, with the rest as proof', () => {
    const run = {
      ...ran(oneFails),
      run: { ...ran(oneFails).run, cases: { passed: 1, failed: 1, skipped: 0 } },
    };
    const { warnings, changedExpectations } = judge({ ...asked, withBaseTests: run });
    const before = "test('c0', () => is(a));";
    const after = "test('c0', () => is(b));";
    expect(changedExpectations).toEqual([{ path: 'a.test.js', test: 'c0', before, after }]);
    expect(warnings[0]).toBe(
      `Check each change of what tests expect, as the task asks: c0: ${before} ► ${after}. With the tests of the base, 1 fail and 1 pass; with those of the patch, the test command passes.`,
    );
    const passes = ran({ cases: ['passed', 'passed'] });
    expect(judge({ ...asked, withBaseTests: passes }).changedExpectations).toBeUndefined();
  });
});
