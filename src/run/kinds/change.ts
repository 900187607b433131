/** A run that changes files: its patch is verified and delivered. */
import { codes } from '../../base/codes.ts';
import { type Ending, isSuccess } from '../../base/outcome.ts';
import type { Run, RunKind } from '../stages.ts';

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

/** Why the last patch was refused, when there is no patch; undefined if none was refused. */
function describeRefusal({ request: { ledger }, state }: Run): string | undefined {
  if (state.evidence.patchDigest !== '') return undefined;
  const last = ledger
    .entries()
    .findLast(entry => entry.tool === 'apply_patch' && entry.decision === 'abstain');
  if (last === undefined || last.code === null) return undefined;
  const files = last.paths.length === 0 ? '' : ` of ${last.paths.join(', ')}`;
  return `The last patch${files} was refused (${last.code}): ${codes[last.code].meaning}`;
}

/**
 * An ending without a patch: nothing to do, unless the tests fail as they are, which is a failure. An answer
 * needs no tests, unless the run tried a patch that failed them.
 */
async function settleWithoutPatch(run: Run, ending: Ending): Promise<Ending> {
  const { request, services, state, policy } = run;
  const { task } = request;
  if (!isSuccess(ending.status)) return ending;
  if (ending.status === 'answered' && state.failedVerifications === 0) return ending;
  const refusal = describeRefusal(run);
  // what the model claims of a patch that is not there is not repeated
  const failWith = (what: string): Ending => ({
    ...ending,
    statement: undefined,
    summary: undefined,
    status: 'failed',
    code: refusal === undefined ? 'PATCH_EMPTY' : 'PATCH_REFUSED',
    message: [what, refusal].filter(part => part !== undefined).join(' '),
  });
  const baseline = await services.verifier?.baseline();
  if (baseline && !baseline.passed) {
    const { require } = policy.settings;
    // so that people see which tests fail
    state.verification ??= { require, passed: false, baseline, regressions: [], patchDigest: '' };
    return failWith('The run changed nothing, though the tests fail.');
  }
  if (ending.status !== 'no_change') return ending;
  if (refusal !== undefined) return failWith('The run changed nothing.');
  return task.trigger === 'schedule'
    ? { ...ending, code: 'NOTHING_TO_DO', message: codes.NOTHING_TO_DO.meaning }
    : ending;
}
