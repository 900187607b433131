import { expect, it } from 'vitest';
import type { VerificationRun } from '../../src/base/outcome.ts';
import {
  describeNewFailures,
  describeRun,
  describeVerification,
} from '../../src/verify/describe-verification.ts';
import type { TestRun } from '../../src/verify/judge/test-run.ts';

const run = (more: object) =>
  ({ exitCode: 1, limit: null, durationMs: 1_250, ...more }) as unknown as VerificationRun;

it.each([
  [{}, 'exit 1, 1.3 s'],
  [{ limit: 'time', exitCode: null }, 'time limit, 1.3 s'],
  [{ exitCode: null }, 'killed, 1.3 s'],
  [{ cases: { passed: 3, failed: 1 } }, 'exit 1, 3 passed, 1 failed, 1.3 s'],
  [{ refusedConnections: 2 }, 'exit 1, 1.3 s, 2 connections refused'],
])('a run that ended with %j is described as "%s"', (more, words) => {
  expect(describeRun(run(more))).toBe(words);
});

it('a patch with which the tests still fail has passed, and is not called verified', () => {
  const about = { require: 'pass', passed: true, regressions: [], patchDigest: '' } as const;
  const [passing, failing] = [true, false].map(passed => {
    const v = { ...about, after: run({ passed }), sameFailures: passed ? undefined : ['a'] };
    return describeVerification(v);
  });
  expect(passing).toMatch(/^Verification passed\.\n/);
  expect(failing).toMatch(
    /^Verification passed: the tests fail, .* unverified\.\nThe same failures/,
  );
});

const ran = (failures: readonly string[] | undefined, more: Partial<TestRun> = {}) =>
  ({ run: { passed: failures?.length === 0 }, cases: undefined, failures, ...more }) as TestRun;
const head = 'New with the patch (the base has other failures): ';

it('name each of them first, and what the run says of it', () => {
  const output = `${'ok\n'.repeat(900)}not ok 7 - ships free\n  expected 0\n  got 5\n${'x\n'.repeat(9_000)}`;
  const text = describeNewFailures(ran(['old']), ran(['old', 'ships free'], { output })).join('\n');
  expect(text.split('\n').slice(0, 4)).toEqual([
    `${head}ships free`,
    'not ok 7 - ships free',
    '  expected 0',
    '  got 5',
  ]);
  expect(text.length).toBeLessThan(2_000);
});

it('show the message of a report', () => {
  const cases = [{ id: 'price > rounds', status: 'failed' as const, message: 'expected 90' }];
  expect(describeNewFailures(ran(['old']), ran(undefined, { cases }))).toEqual([
    `${head}price > rounds`,
    'expected 90',
  ]);
});

it.each([
  ['the base passes', ran([]), ran(['new'])],
  ['nothing is new', ran(['old']), ran(['old'])],
  ['the failures of the base are not named', ran(undefined), ran(['new'])],
  ['there was no run', ran(['old']), undefined],
])('say nothing where %s', (_, before, after) => {
  expect(describeNewFailures(before, after)).toEqual([]);
});
