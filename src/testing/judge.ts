/** What the runs of the test command prove of a patch. Pure; the kernel's exit status wins. */
import type { CaseCounts } from '../outcome.ts';
import { type Expected, whyIncomplete } from './completeness.ts';
import type { TestCase } from './test-case.ts';
import type { TestRun } from './test-run.ts';

/** Why a patch does not verify. */
export type VerifyCode =
  | 'VERIFY_FAILED'
  | 'VERIFY_TESTS_CHANGED'
  | 'VERIFY_INCOMPLETE'
  | 'VERIFY_REPORT_MISSING'
  | 'VERIFY_REPORT_LIMIT';

/** Tests that the patch takes away. */
export interface LostTests {
  readonly names: readonly string[];
  /** True when the task names each of them, or its file. */
  readonly asked: boolean;
}

export interface VerificationFacts {
  readonly require: 'pass' | 'no-regression';
  readonly testChanges: 'rollback' | 'flag';
  readonly before: TestRun;
  readonly after: TestRun;
  /** The patch with the tests as the base has them; null when it touches none. */
  readonly withBaseTests: TestRun | null;
  readonly lost: LostTests;
  /** True when the patch changes what runs the tests, such as a package script. */
  readonly otherRunner: boolean;
  /** Files of the base that hold tests by what is in them. */
  readonly holdsTests: (path: string) => boolean;
}

export interface Judgement {
  readonly passed: boolean;
  readonly code: VerifyCode | null;
  readonly regressions: readonly string[];
  /** Why it does not pass, where the runs themselves do not say it; empty otherwise. */
  readonly why: string;
  /** What a reviewer has to know before believing the patch. */
  readonly warnings: readonly string[];
}

const good: Judgement = { passed: true, code: null, regressions: [], why: '', warnings: [] };

function bad(code: VerifyCode, why = '', regressions: readonly string[] = []): Judgement {
  return { ...good, passed: false, code, why, regressions: regressions.slice(0, 100) };
}

/**
 * `pass`: exit 0. `no-regression`: nothing that passed before fails or is gone. Both ask that the run came to
 * its end, with every case that ran before the patch.
 */
export function judgeVerification(evidence: VerificationFacts): Judgement {
  const { after, withBaseTests, lost, testChanges } = evidence;
  const tolerated = testChanges === 'flag' && withBaseTests !== null;
  const own = judgeRun(evidence, after, { ...evidence, fewer: lost.asked || tolerated });
  const as = { ...evidence, fewer: false, otherRunner: false };
  const based = withBaseTests === null ? good : judgeRun(evidence, withBaseTests, as);
  // where the tests of the base fail, that is what there is to say
  const changed = !based.passed && !tolerated && own.code !== 'VERIFY_FAILED';
  if (changed) return { ...based, code: 'VERIFY_TESTS_CHANGED' };
  if (!own.passed) return own;
  if (lost.names.length > 0 && !lost.asked && !tolerated)
    return bad('VERIFY_INCOMPLETE', `The patch takes tests away: ${listed(lost.names)}.`);
  const warnings = [
    ...own.warnings,
    ...based.warnings,
    ...(based.passed ? [] : ['The patch does not pass with the tests of the base.']),
    ...(lost.names.length > 0 ? [`The patch takes tests away: ${listed(lost.names)}.`] : []),
  ];
  return { ...own, warnings: [...new Set(warnings)] };
}

function listed(names: readonly string[]): string {
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `${names.slice(0, 10).join('; ')}${more}`;
}

/** One run against the run before the patch. */
function judgeRun(
  { require, before }: VerificationFacts,
  ran: TestRun,
  expected: Expected,
): Judgement {
  const { exitCode, limit } = ran.run;
  if (limit !== null || isKilled(exitCode)) return bad('VERIFY_FAILED');
  if (exitCode !== 0 && require === 'pass') return bad('VERIFY_FAILED');
  if (ran.reportTooLarge && !before.reportTooLarge) return bad('VERIFY_REPORT_LIMIT');
  const why = whyIncomplete(before, ran, expected);
  if (why !== null) return bad('VERIFY_INCOMPLETE', why);
  return require === 'pass' ? good : judgeCases(before, ran, expected.fewer);
}

/** A shell gives 128 and the number of the signal that killed what it started. */
function isKilled(exitCode: number | null): boolean {
  return exitCode === null || (exitCode > 128 && exitCode <= 192);
}

const forgeable =
  'The tests still fail. That nothing got worse is known from a report that the program under test can write itself.';

function judgeCases(
  before: TestRun,
  { run, cases, reportTooLarge }: TestRun,
  fewer: boolean,
): Judgement {
  if (before.cases === null || cases === null) {
    if (run.exitCode === 0) return good;
    return bad(
      reportTooLarge || before.reportTooLarge ? 'VERIFY_REPORT_LIMIT' : 'VERIFY_REPORT_MISSING',
    );
  }
  const now = new Map(cases.map(c => [c.id, c.status]));
  const regressions = before.cases
    .filter(c => c.status === 'passed' && now.get(c.id) !== 'passed' && !(fewer && !now.has(c.id)))
    .map(c => c.id);
  if (regressions.length > 0) return bad('VERIFY_FAILED', '', regressions);
  return run.exitCode === 0 ? good : { ...good, warnings: [forgeable] };
}

/** How many cases passed, failed and were skipped. */
export function countCases(cases: readonly TestCase[]): CaseCounts {
  const count = (status: TestCase['status']) => cases.filter(c => c.status === status).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
