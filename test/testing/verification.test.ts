import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeVerification, type VerificationFacts } from '../../src/testing/judge.ts';
import { parseJest } from '../../src/testing/reports/parse-jest.ts';
import { parseJunit } from '../../src/testing/reports/parse-junit.ts';
import { parseTap } from '../../src/testing/reports/parse-tap.ts';
import type { ReadReport, TestCase } from '../../src/testing/reports/test-case.ts';
import type { WhatRan } from '../../src/testing/reports/what-ran.ts';
import { isTestPath, touchesTests } from '../../src/testing/test-paths.ts';
import type { TestRun } from '../../src/testing/test-run.ts';
import { openVerifier } from '../../src/testing/verify.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { discard, makeFolder, root } from '../harness.ts';

/** The cases of a valid report. */
function listed(report: ReadReport): readonly TestCase[] {
  if (report === null || report === 'too-large') throw new Error(`no cases: ${report}`);
  return report;
}

describe('reports are hostile input', () => {
  it('TAP with subtests gives its leaves', () => {
    const tap =
      'TAP version 13\n# Subtest: a\n    # Subtest: b\n    ok 1 - b\n    # Subtest: c\n    not ok 2 - c\n    1..2\nnot ok 1 - a\n# Subtest: d\nok 2 - d # SKIP later\n1..2\n';
    expect(parseTap(tap)).toEqual([
      { id: 'a > b', status: 'passed' },
      { id: 'a > c', status: 'failed' },
      { id: 'd', status: 'skipped' },
    ]);
  });

  it('repeated and odd names stay distinct', () => {
    expect(parseTap('ok 1 - __proto__\nnot ok 2 - __proto__\nok 3 - constructor\n1..3\n')).toEqual([
      { id: '__proto__', status: 'passed' },
      { id: '__proto__ (2)', status: 'failed' },
      { id: 'constructor', status: 'passed' },
    ]);
  });

  it('text without TAP has no cases', () => {
    expect(parseTap('all fine\n')).toBeNull();
  });

  it('JUnit gives its cases', async () => {
    const xml =
      '<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="C" name="a"/><testcase classname="C" name="b &amp; c"><failure message="x">y</failure></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>';
    expect(await parseJunit(xml)).toEqual([
      { id: 'C > a', status: 'passed' },
      { id: 'C > b & c', status: 'failed', message: 'x\ny' },
      { id: 'd', status: 'skipped' },
    ]);
  });

  it.each([
    [
      'a document type',
      '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>',
    ],
    ['an unknown entity', '<testsuite><testcase name="&lol;"/></testsuite>'],
    ['broken nesting', '<testsuite><testcase name="a"></testsuite>'],
    ['deep nesting', `<testsuite>${'<a>'.repeat(60)}${'</a>'.repeat(60)}</testsuite>`],
    ['another document', '<html></html>'],
    ['nothing', ''],
  ])('JUnit with %s is refused', async (_name, xml) => expect(await parseJunit(xml)).toBeNull());

  it('the JSON of jest and vitest gives its cases', () => {
    const json = JSON.stringify({
      testResults: [
        {
          name: '/x/y/a.test.js',
          assertionResults: [
            { ancestorTitles: ['s'], title: 't', status: 'passed' },
            { fullName: 'u', status: 'failed' },
            { title: 'v', status: 'pending' },
          ],
        },
      ],
    });
    expect(listed(parseJest(json)).map(c => [c.id, c.status])).toEqual([
      ['y/a.test.js > s > t', 'passed'],
      ['y/a.test.js > u', 'failed'],
      ['y/a.test.js > v', 'skipped'],
    ]);
    expect(parseJest('{"testResults": 1}')).toBeNull();
    expect(parseJest('[')).toBeNull();
  });
});

describe('reports that real tools write', () => {
  const suite = [
    "import test, { describe, it } from 'node:test';",
    "import assert from 'node:assert/strict';",
    "describe('a suite', () => {",
    "  it('works', () => {});",
    "  it('breaks', () => assert.equal(1, 2));",
    "  it('is skipped', { skip: 'why' }, () => {});",
    "  it('is to do', { todo: true }, () => { throw new Error('later'); });",
    '});',
    "test('outer', async t => { await t.test('works', () => {}); });",
    '',
  ].join('\n');
  const report = async (reporter: string) => {
    const folder = makeFolder();
    try {
      const file = join(folder, 'a.test.mjs');
      writeFileSync(file, suite);
      const args = ['--test', `--test-reporter=${reporter}`, file];
      const env = { PATH: process.env.PATH };
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
      return { stdout, file };
    } finally {
      discard(folder);
    }
  };
  const expected = [
    ['passed', 'a suite > works'],
    ['failed', 'a suite > breaks'],
    ['skipped', 'a suite > is skipped'],
    // a failing todo test does not fail the run
    ['skipped', 'a suite > is to do'],
    ['passed', 'outer > works'],
  ];

  it('node:test as JUnit', async () => {
    const { stdout, file } = await report('junit');
    const cases = listed(await parseJunit(stdout));
    // older versions do not name the file
    const ids = cases.map(c => [c.status, c.id.replace(`${file} > `, '')]);
    expect(ids).toEqual(expected);
    expect(cases?.[1]?.message).toContain(`${file}:5:`);
  });

  it('node:test as TAP', async () => {
    const { stdout, file } = await report('tap');
    const cases = listed(parseTap(stdout));
    expect(cases.map(c => [c.status, c.id])).toEqual(expected);
    expect(cases?.[1]).toMatchObject({ file, message: expect.stringContaining(`${file}:5:`) });
    expect(cases?.[3]?.message).toBeUndefined();
  });

  it('pytest as JUnit', async () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/pytest-9.0.3.xml'), 'utf8');
    const cases = listed(await parseJunit(text));
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['passed', 'test_x.TestA > test_ok'],
      ['failed', 'test_x.TestA > test_bad'],
      ['passed', 'test_x > test_p[1]'],
      ['passed', 'test_x > test_p[2]'],
      ['skipped', 'test_x > test_s'],
      ['failed', 'test_x > test_err'],
    ]);
    expect(cases?.[1]?.message).toContain('test_x.py:5: AssertionError');
    expect(cases?.[5]?.message).toContain('test_x.py:11: ValueError');
  });

  it('jest as JSON', () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/jest-30.5.2.json'), 'utf8');
    expect(parseJest(text)).toEqual([
      {
        id: 'test/price.test.js > total > is the sum',
        file: '/project/test/price.test.js',
        status: 'failed',
        message: expect.stringContaining('/project/test/price.test.js:4:'),
      },
      {
        id: 'test/price.test.js > total > of none',
        file: '/project/test/price.test.js',
        status: 'passed',
      },
      { id: 'test/price.test.js > free', file: '/project/test/price.test.js', status: 'passed' },
    ]);
  });
});

describe('a command that never ran', () => {
  it.each([
    ['mount: /x: No space left on device.\n', 'DISK'],
    ['bwrap: setting up uid map: Permission denied\n', 'SANDBOX_UNAVAILABLE'],
  ])('is no failed test: %s', async (output, code) => {
    const end = {
      began: false,
      exitCode: 125,
      signal: null,
      limit: null,
      cancelled: false,
      output,
      outputBytes: 1,
      truncated: false,
      durationMs: 1,
      refusedConnections: null,
    };
    const verifier = openVerifier({
      command: 'npm test',
      setUpFiles: null,
      report: '',
      require: 'pass',
      testChanges: 'allow',
      network: 'none',
      timeoutMs: 1000,
      signal: new AbortController().signal,
      log: () => {},
      scrub: (text: string) => text,
      open: async () => ({ sandbox: { run: async () => end }, view: { close: () => {} } }),
    } as unknown as Parameters<typeof openVerifier>[0]);
    await expect(verifier.verify([], 'digest')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(output.trim()),
    });
  });
});

describe('the judgement of runs', () => {
  interface RunFixture extends Partial<Omit<TestRun, 'run' | 'cases'>> {
    readonly exit?: number | null;
    readonly limit?: 'time';
    readonly cases?: readonly ('passed' | 'failed' | 'skipped')[] | null;
  }
  const ran = ({ exit = 0, limit, cases = null, ...rest }: RunFixture = {}): TestRun => ({
    run: {
      command: 'x',
      exitCode: exit,
      limit: limit ?? null,
      refusedConnections: null,
      durationMs: 1,
      outputTail: '',
      passed: exit === 0,
    },
    cases: cases?.map((status, i) => ({ id: `c${i}`, status })) ?? null,
    reportTooLarge: false,
    summaries: [],
    ran: kindOf(cases, rest.summaries),
    emptyFiles: [],
    reported: true,
    failures: null,
    stages: [],
    ...rest,
  });
  function kindOf(cases: RunFixture['cases'], summaries: TestRun['summaries'] = []): WhatRan {
    const counts = (cases?.length ?? 0) > 0 || summaries.some(s => s.ran > 0);
    return { kind: counts ? 'cases' : 'unknown' };
  }
  const ends = (runner: string, count: number, failed = 0) => ({ runner, ran: count, failed });
  const nothingLost = { names: [], requested: false };
  const judge = (evidence: Partial<VerificationFacts>) =>
    judgeVerification({
      require: 'pass',
      testChanges: 'rollback',
      before: ran({ exit: 1 }),
      after: ran(),
      withBaseTests: null,
      lost: nothingLost,
      flaky: [],
      holdsTests: () => true,
      otherRunner: false,
      failingTask: false,
      strict: false,
      ...evidence,
    });
  const red = (failures: readonly string[]) => ran({ exit: 1, failures });
  const linted = (exit: number, output: string) =>
    ran({
      exit,
      cases: ['passed'],
      stages: [
        { name: 'lint', exitCode: exit, explained: false, output },
        { name: 'mocha', exitCode: 0, explained: false, output: '' },
      ],
    });
  const noRegression = { require: 'no-regression' as const };
  const flag = { testChanges: 'flag' as const };
  const empty: RunFixture = { ran: { kind: 'none', words: 'no tests ran in 0.01s' } };
  const node = (count: number, failed = 0) => ({ summaries: [ends('node:test', count, failed)] });

  it.each<[string, Partial<VerificationFacts>, string | null]>([
    ['exit 0 passes', {}, null],
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
    ['unless the setting accepts it', { ...flag, withBaseTests: ran({ exit: 1 }) }, null],
    [
      'no-regression: the same failures pass',
      {
        ...noRegression,
        before: ran({ exit: 1, cases: ['failed', 'passed'] }),
        after: ran({ exit: 1, cases: ['failed', 'passed'] }),
      },
      null,
    ],
    [
      'no-regression: a new failure fails',
      {
        ...noRegression,
        before: ran({ exit: 1, cases: ['failed', 'passed'] }),
        after: ran({ exit: 1, cases: ['passed', 'failed'] }),
      },
      'VERIFY_FAILED',
    ],
    [
      'no-regression: a missing case fails',
      {
        ...noRegression,
        before: ran({ cases: ['passed', 'passed'] }),
        after: ran({ cases: ['passed'] }),
      },
      'VERIFY_INCOMPLETE',
    ],
    [
      'no-regression: the same named failures pass',
      { ...noRegression, before: red(['a', 'b']), after: red(['a']) },
      null,
    ],
    [
      'no-regression: another named failure fails',
      { ...noRegression, before: red(['a', 'b']), after: red(['c']) },
      'VERIFY_FAILED',
    ],
    [
      'no-regression: a lint that fails as before passes',
      { ...noRegression, before: linted(1, 'a.js:3 unused'), after: linted(1, 'a.js:4 unused') },
      null,
    ],
    [
      'no-regression: a lint that fails with more fails',
      {
        ...noRegression,
        before: linted(1, 'a.js:3 unused'),
        after: linted(1, 'a.js:3 unused\na.js:9 unused'),
      },
      'VERIFY_FAILED',
    ],
    [
      'no-regression: a lint that passed before fails',
      { ...noRegression, before: linted(0, 'a.js:3 unused'), after: linted(1, 'a.js:3 unused') },
      'VERIFY_FAILED',
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
      {
        ...noRegression,
        before: ran({ exit: 1, cases: ['failed', 'passed'] }),
        after: ran({ exit, cases: ['failed', 'passed'] }),
      },
      'VERIFY_FAILED',
    ]),
    [
      'no-regression: the tests of the base count, too',
      {
        ...noRegression,
        before: ran({ exit: 1, cases: ['failed', 'passed'] }),
        after: ran({ exit: 1, cases: ['failed', 'passed'] }),
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
      'fewer cases',
      { before: ran({ exit: 1, ...node(2, 1) }), after: ran(node(1)) },
      'VERIFY_INCOMPLETE',
    ],
    ['as many cases', { before: ran({ exit: 1, ...node(2, 1) }), after: ran(node(2)) }, null],
    [
      'more runners, because the first one failed before',
      {
        before: ran({ exit: 1, ...node(9, 1) }),
        after: ran({ summaries: [ends('node:test', 9), ends('mocha', 2)] }),
      },
      null,
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
      'exit 0 although the runner counts failures',
      { before: ran({ exit: 1, ...node(2, 1) }), after: ran(node(2, 1)) },
      'VERIFY_INCOMPLETE',
    ],
    [
      'another runner that the patch introduces',
      {
        before: ran({ exit: 1, ...node(2, 1) }),
        after: ran({ summaries: [ends('vitest', 2)] }),
        otherRunner: true,
      },
      null,
    ],
    [
      'another runner without such a change',
      { before: ran({ exit: 1, ...node(2, 1) }), after: ran({ summaries: [ends('vitest', 2)] }) },
      'VERIFY_INCOMPLETE',
    ],
    [
      'no runner, if the patch changes how the tests start',
      { before: ran({ exit: 1, ...node(2, 1) }), after: ran(), otherRunner: true },
      'VERIFY_INCOMPLETE',
    ],
    [
      'failures that the command ignored before, too',
      { before: ran(node(2, 1)), after: ran(node(2, 1)) },
      null,
    ],
    [
      'a test file that ended before its tests',
      { after: ran({ emptyFiles: ['test/a.test.js'] }) },
      'VERIFY_INCOMPLETE',
    ],
    [
      'a file without tests, as before',
      {
        before: ran({ exit: 1, emptyFiles: ['test/a.js'] }),
        after: ran({ emptyFiles: ['test/a.js'] }),
      },
      null,
    ],
    [
      'a script that defines no tests',
      { after: ran({ emptyFiles: ['test/a.js'] }), holdsTests: () => false },
      null,
    ],
    [
      'a missing report',
      { before: ran({ exit: 1, cases: ['failed'] }), after: ran() },
      'VERIFY_INCOMPLETE',
    ],
    [
      'a report that has grown beyond the limits',
      { before: ran({ exit: 1, cases: ['failed'] }), after: ran({ reportTooLarge: true }) },
      'VERIFY_REPORT_LIMIT',
    ],
    [
      'a report that was beyond the limits before, too',
      { before: ran({ exit: 1, reportTooLarge: true }), after: ran({ reportTooLarge: true }) },
      null,
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
      null,
    ],
    [
      'removed tests that the setting accepts',
      { ...flag, withBaseTests: ran(), lost: { names: ['a'], requested: false } },
      null,
    ],
    [
      'a command that ran no test case',
      { before: ran(empty), after: ran(empty) },
      'VERIFY_NO_TESTS',
    ],
    [
      'a command that ran no test case and ends with another status, as pytest does',
      { before: ran({ exit: 5, ...empty }), after: ran({ exit: 5, ...empty }) },
      'VERIFY_NO_TESTS',
    ],
    [
      'no-regression: a command that ran no test case',
      {
        ...noRegression,
        before: ran({ exit: 5, ...empty }),
        after: ran({ exit: 5, ...empty }),
      },
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
      null,
    ],
    ['a script that passes with and without the patch', { before: ran() }, 'VERIFY_NOT_SHOWN'],
    [
      'the same for a task that speaks of a failing test',
      { before: ran(), failingTask: true },
      'VERIFY_NO_TESTS',
    ],
    ['the same where each line must be shown', { before: ran(), strict: true }, 'VERIFY_NO_TESTS'],
    ['a script that failed without the patch', { failingTask: true }, null],
  ])('%s', (_name, evidence, code) =>
    expect(judge(evidence)).toMatchObject({ passed: code === null, code }),
  );

  it('only a script that passes with and without the patch leaves it unjudged', () => {
    expect(judge({ before: ran() }).unjudged).toBe(true);
    for (const evidence of [{}, { before: ran(), strict: true }, { after: ran({ exit: 1 }) }])
      expect(judge(evidence).unjudged ?? false).toBe(false);
  });

  it.each<[string, Partial<VerificationFacts>]>([
    [
      'a report that decides over failing tests',
      {
        ...noRegression,
        before: ran({ exit: 1, cases: ['failed', 'passed'] }),
        after: ran({ exit: 1, cases: ['failed', 'passed'] }),
      },
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
  it('a plain pass needs no warning', () => expect(judge({}).warnings).toEqual([]));
});

describe('files that decide whether tests pass', () => {
  it.each([
    'test/a.js',
    'src/a.test.ts',
    'a_test.go',
    'test_a.py',
    'tests/conftest.py',
    'spec/x_spec.rb',
    'src/__snapshots__/a.snap',
    'src/FooTest.java',
    'vitest.config.ts',
    'jest.config.js',
    'Makefile',
    'pytest.ini',
  ])('%s is', path => expect(isTestPath(path)).toBe(true));
  it.each([
    'src/a.js',
    'src/latest.js',
    'contest.py',
    'src/protest/a.go',
    'README.md',
    'src/testing.ts',
  ])('%s is not', path => expect(isTestPath(path)).toBe(false));

  it('a manifest counts if its runner configuration changes', () => {
    const change = (before: object, after: object): FileChange => ({
      path: 'package.json',
      before: { mode: '100644', bytes: Buffer.from(JSON.stringify(before)) },
      after: { mode: '100644', bytes: Buffer.from(JSON.stringify(after)) },
    });
    expect(touchesTests(change({ scripts: { test: 'a' } }, { scripts: { test: 'b' } }))).toBe(true);
    expect(touchesTests(change({ version: '1' }, { version: '2' }))).toBe(false);
  });
});
