/** The verified patch of a run, as the host that delivers it sees it. */
import type { Ending } from '../base/outcome.ts';
import type { VerifiedPatch } from '../hosts/host.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import { buildOutcome } from './build-outcome.ts';
import { moveToBase } from './move-to-base.ts';
import { provePatch } from './prove.ts';
import type { PreparedRun, RunProgress } from './stages.ts';

/** Opens the patch of a run that ended with one. The progress follows it. */
export function openVerifiedPatch(
  run: PreparedRun,
  ending: Ending,
  { progress, limit }: { readonly progress: RunProgress; readonly limit: Pick<TimeLimit, 'check'> },
): VerifiedPatch {
  const { id, task, mode, note } = run;
  const now = () => progress.run ?? run;
  return {
    run: id,
    task,
    mode,
    ending,
    note,
    merge: run.environment.start?.merge,
    hasVerifier: run.services.verifier !== undefined,
    git: () => now().services.session.git,
    verification: () => now().state.verification,
    changes: () => now().services.session.changes(),
    moveTo: base => moveToBase(now(), progress, base),
    prove: async () => {
      const proven = await provePatch(now());
      progress.proven = proven;
      const outcome = buildOutcome(ending, progress);
      await limit.check();
      return { ...proven, outcome };
    },
    delivered: delivery => {
      progress.delivered = delivery;
      return delivery;
    },
  };
}
