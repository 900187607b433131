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
import { listFailures, type TestRun } from './judge/test-run.ts';
import { readFailures } from './reports/run-summary.ts';

/**
 * The runs and how they ended; for a failure, with the end of the output.
 * @param fresh what fails with the patch that did not fail before, as lines; empty if nothing is known of it.
 * @param why why it does not pass, in other words than people read.
 */
export function describeVerification(
  v: Verification,
  fresh: readonly string[] = [],
  why = v.reason,
): string {
  const { code } = v;
  const head = [
    describeVerdict(v),
    ...fresh,
    why,
    v.sameFailures === undefined ? undefined : describeExcused(v.sameFailures),
    code === 'VERIFY_TESTS_CHANGED' ? openWays : undefined,
    ...listRuns(v).map(([name, run]) => `${name}: ${describeRun(run)}`),
    v.regressions.length > 0 ? `regressions: ${v.regressions.slice(0, 20).join('; ')}` : undefined,
  ].filter(item => item !== undefined);
  const shown = code === 'VERIFY_TESTS_CHANGED' ? v.withBaseTests : (v.after ?? v.early);
  if (mayDeliver(v)) return head.join('\n');
  // what is new has been shown
  const output =
    shown && (fresh.length === 0 ? showOutput(shown) : leaveOut(shown.outputTail, fresh));
  return `${head.join('\n')}\n---\n${output ?? ''}`;
}

/** The runs of the tests by name, in their order. */
export function listRuns({ baseline, early, after, withBaseTests }: Verification) {
  const runs = {
    'before the patch': baseline,
    'with the patch, tests that run first': early,
    'with the patch': after,
    'with the patch and the tests of the base': withBaseTests,
  };
  return Object.entries(runs).flatMap(([name, run]) => (run ? [[name, run] as const] : []));
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

function describeVerdict(v: Verification): string {
  if (v.passed) return `Verification passed${passesTests(v) ? '' : excused}.`;
  return v.unjudged === true
    ? `Nothing verified the patch: ${v.code}. It can be delivered as a draft.`
    : `Verification failed: ${v.code}.`;
}

/** Describes briefly how a run of the tests ended. */
export function describeRun(run: VerificationRun): string {
  const end =
    run.limit !== null
      ? `${run.limit} limit`
      : run.exitCode === null
        ? 'killed'
        : `exit ${run.exitCode}`;
  const { passed, failed, skipped = 0 } = run.cases ?? {};
  const left = skipped > 0 ? `, ${skipped} skipped` : '';
  const cases = run.cases === undefined ? '' : `, ${passed} passed, ${failed} failed${left}`;
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
