/** Says in words how a verification ended. Pure. */
import { mayDeliver, type Verification, type VerificationRun } from '../base/outcome.ts';
import type { VerifyCode } from './judge/judge.ts';

/** Why a patch does not pass, and what fails with it that did not fail before. */
interface Findings {
  readonly why: string;
  /** Empty if nothing is known of it. */
  readonly fresh?: string;
}

/** The runs and how they ended; for a failure, with the end of the output. */
export function describeVerification(
  v: Verification,
  code: VerifyCode | undefined,
  { why, fresh = '' }: Findings = { why: '' },
): string {
  const row = (name: string, run: VerificationRun | undefined) =>
    run === undefined ? [] : [`${name}: ${describeRun(run)}`];
  const head = [
    describeVerdict(v, code),
    fresh === '' ? undefined : fresh,
    why === '' ? undefined : why,
    code === 'VERIFY_TESTS_CHANGED' ? openWays : undefined,
    ...row('before the patch', v.baseline),
    ...row('with the patch, tests that run first', v.early),
    ...row('with the patch', v.after),
    ...row('with the patch and the tests of the base', v.withBaseTests),
    v.regressions.length > 0 ? `regressions: ${v.regressions.slice(0, 20).join('; ')}` : undefined,
  ].filter(item => item !== undefined);
  const shown = code === 'VERIFY_TESTS_CHANGED' ? v.withBaseTests : (v.after ?? v.early);
  return mayDeliver(v) ? head.join('\n') : `${head.join('\n')}\n---\n${shown?.outputTail ?? ''}`;
}

/** What a model may do with a patch that passes only with its own tests. */
const openWays =
  'Change the code so that the tests pass as they were. If the task cannot be done so, call clarify with the reason conflicting_constraints and the constraints task and VERIFY_TESTS_CHANGED, and name what would change: the answer of a person permits it.';

function describeVerdict(v: Verification, code: VerifyCode | undefined): string {
  if (v.passed) return 'Verification passed.';
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
