import { expect, it } from 'vitest';
import type { VerificationRun } from '../../src/base/outcome.ts';
import { describeRun } from '../../src/verify/describe-verification.ts';

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
