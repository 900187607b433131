/** Says in words how a verification ended, and what fails with a patch that did not fail without it. Pure. */
import {
  leaveOut,
  mayDeliver,
  passesTests,
  showOutput,
  type Verification,
  type VerificationRun,
} from '../base/outcome.ts';
import { listFirst } from '../base/plural.ts';
import type { VerifyCode } from './judge/judge.ts';
import { listFailures, type TestRun } from './judge/test-run.ts';
import { readFailures } from './reports/run-summary.ts';

/** Why a patch does not pass, and what fails with it that did not fail before. */
interface Findings {
  readonly why: string;
  /** Parts to join by lines; empty if nothing is known of it. */
  readonly fresh?: readonly string[];
}

/** The runs and how they ended; for a failure, with the end of the output. */
export function describeVerification(
  v: Verification,
  code: VerifyCode | undefined,
  { why, fresh = [] }: Findings = { why: '' },
): string {
  const row = (name: string, run: VerificationRun | undefined) =>
    run === undefined ? [] : [`${name}: ${describeRun(run)}`];
  const head = [
    describeVerdict(v, code),
    ...fresh,
    why === '' ? undefined : why,
    v.sameFailures === undefined ? undefined : describeExcused(v.sameFailures),
    code === 'VERIFY_TESTS_CHANGED' ? openWays : undefined,
    ...row('before the patch', v.baseline),
    ...row('with the patch, tests that run first', v.early),
    ...row('with the patch', v.after),
    ...row('with the patch and the tests of the base', v.withBaseTests),
    v.regressions.length > 0 ? `regressions: ${v.regressions.slice(0, 20).join('; ')}` : undefined,
  ].filter(item => item !== undefined);
  const shown = code === 'VERIFY_TESTS_CHANGED' ? v.withBaseTests : (v.after ?? v.early);
  if (mayDeliver(v)) return head.join('\n');
  // what is new has been shown
  const output =
    shown && (fresh.length === 0 ? showOutput(shown) : leaveOut(shown.outputTail, fresh));
  return `${head.join('\n')}\n---\n${output ?? ''}`;
}

function describeExcused(same: readonly string[]): string {
  const named = listFirst(same, String, { most: maxNamed, between: '; ' });
  return `The same failures as before: ${named}. The patch can be delivered as a draft that names them.`;
}

/** What a model may do with a patch that passes only with its own tests. */
const openWays =
  'Change the code so that the tests pass as they were. If the task cannot be done so, call clarify with the reason conflicting_constraints and the constraints task and VERIFY_TESTS_CHANGED, and name what would change: the answer of a person permits it.';

const excused =
  ': the tests fail, but nothing fails that did not fail without the patch. People get it as unverified';

function describeVerdict(v: Verification, code: VerifyCode | undefined): string {
  if (v.passed) return `Verification passed${passesTests(v) ? '' : excused}.`;
  return v.unjudged === true
    ? `Nothing verified the patch: ${code}. It can be delivered as a draft.`
    : `Verification failed: ${code}.`;
}

/** Describes briefly how a run of the tests ended. */
export function describeRun(run: VerificationRun): string {
  const end =
    run.limit !== null
      ? `${run.limit} limit`
      : run.exitCode === null
        ? 'killed'
        : `exit ${run.exitCode}`;
  const cases =
    run.cases === undefined ? '' : `, ${run.cases.passed} passed, ${run.cases.failed} failed`;
  const refused = run.refusedConnections ? `, ${run.refusedConnections} connections refused` : '';
  return `${end}${cases}, ${(run.durationMs / 1000).toFixed(1)} s${refused}`;
}

/** Most new failures that are named, and of which the text is shown. */
const maxNamed = 20;
const maxShown = 2;

/**
 * The new failures by name, and what the run says of the first ones: without it, the failures of the base hide them.
 * Empty if the base passes, or if the failures of a run cannot be told.
 */
export function describeNewFailures(before: TestRun, ran: TestRun | undefined): readonly string[] {
  const old = listFailures(before);
  const now = listFailures(ran);
  if (before.run.passed || old === undefined || now === undefined || ran === undefined) return [];
  const fresh = now.filter(name => !old.includes(name));
  if (fresh.length === 0) return [];
  const named = listFirst(fresh, String, { most: maxNamed, between: '; ' });
  const texts = fresh.slice(0, maxShown).map(readFailures(ran).findText);
  return [
    `New with the patch (the base has other failures): ${named}`,
    ...texts.filter(text => text !== ''),
  ];
}
