/** What the runs of the test command prove of a patch. Pure; the kernel's exit status wins. */
import type { Code } from '../codes.ts';
import type { CaseCounts, VerificationRun } from '../outcome.ts';
import type { TestCase } from './test-case.ts';

export interface Evidence {
  readonly require: 'pass' | 'no-regression';
  readonly testChanges: 'rollback' | 'flag';
  readonly after: VerificationRun;
  /** The patch with the tests as the base has them; null when it touches none. */
  readonly withBaseTests: VerificationRun | null;
  readonly baselineCases: readonly TestCase[] | null;
  readonly afterCases: readonly TestCase[] | null;
}

export interface Judgement {
  readonly passed: boolean;
  readonly code: Code | null;
  readonly regressions: readonly string[];
}

/** `pass`: exit 0. `no-regression`: nothing that passed before fails or is gone; exit 0 is proof, too. */
export function judgeVerification(evidence: Evidence): Judgement {
  const own = judgeRun(evidence);
  if (!own.passed) return own;
  if (evidence.withBaseTests === null || evidence.testChanges === 'flag') return own;
  if (evidence.withBaseTests.exitCode === 0) return own;
  return { passed: false, code: 'VERIFY_TESTS_CHANGED', regressions: [] };
}

function judgeRun({ require, after, baselineCases, afterCases }: Evidence): Judgement {
  if (after.exitCode === 0 && require === 'pass')
    return { passed: true, code: null, regressions: [] };
  if (require === 'pass' || after.limit !== null)
    return { passed: false, code: 'VERIFY_FAILED', regressions: [] };
  if (baselineCases === null || afterCases === null) {
    if (after.exitCode === 0) return { passed: true, code: null, regressions: [] };
    return { passed: false, code: 'VERIFY_REPORT_MISSING', regressions: [] };
  }
  const now = new Map(afterCases.map(c => [c.id, c.status]));
  const regressions = baselineCases
    .filter(c => c.status === 'passed' && now.get(c.id) !== 'passed')
    .map(c => c.id);
  const passed = regressions.length === 0;
  return { passed, code: passed ? null : 'VERIFY_FAILED', regressions: regressions.slice(0, 100) };
}

/** How many cases passed, failed and were skipped. */
export function countCases(cases: readonly TestCase[]): CaseCounts {
  const count = (status: TestCase['status']) => cases.filter(c => c.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
