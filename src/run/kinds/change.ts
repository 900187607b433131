/** A run that changes files: its patch is verified and delivered. */
import { countDecisions } from '../../audit/derive-outcome.ts';
import { codes } from '../../base/codes.ts';
import { type Ending, isSuccess } from '../../base/outcome.ts';
import type { PreparedRun, RunKind } from '../stages.ts';

export const change: RunKind = {
  name: 'change',
  changes: true,
  tests: 'runs',
  keeps: true,
  showsPlan: false,
  tools: tools => tools,
  schema: policy => policy.outputSchema,
  settle: settleWithoutPatch,
};

/** The codes that refused patches, when there is none; empty if none was refused. */
function refusedPatches({ state, ledger }: PreparedRun): string {
  if (state.evidence.patchDigest !== '') return '';
  const refused = countDecisions(ledger.entries()).filter(
    d => d.tool === 'apply_patch' && d.state === 'abstain',
  );
  return refused.map(d => d.code).join(', ');
}

/**
 * An ending without a patch: nothing to do, unless the tests fail as they are, which is a failure. An answer
 * needs no tests, unless the run tried a patch that failed them.
 */
async function settleWithoutPatch(run: PreparedRun, ending: Ending): Promise<Ending> {
  const { task, services, state, policy } = run;
  if (!isSuccess(ending.status)) return ending;
  if (ending.status === 'answered' && state.failedVerifications === 0) return ending;
  const failed = (message: string): Ending => ({
    ...ending,
    status: 'failed',
    code: 'PATCH_EMPTY',
    message,
  });
  const baseline = await services.verifier?.baseline();
  if (baseline && !baseline.passed) {
    const { require } = policy.settings;
    // so that people see which tests fail
    state.verification ??= { require, passed: false, baseline, regressions: [], patchDigest: '' };
    return failed('The run changed nothing, though the tests fail.');
  }
  if (ending.status !== 'no_change') return ending;
  const refused = refusedPatches(run);
  if (refused !== '')
    return failed(`The run changed nothing, and its patches were refused (${refused}).`);
  return task.trigger === 'schedule'
    ? { ...ending, code: 'NOTHING_TO_DO', message: codes.NOTHING_TO_DO.meaning }
    : ending;
}
