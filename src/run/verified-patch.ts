/** The verified patch of a run, as the host that delivers it sees it. */
import type { VerifiedPatch } from '../hosts/host.ts';
import type { Ending } from '../outcome.ts';
import type { TimeLimit } from '../process/time-limit.ts';
import { factsOf } from './end-run.ts';
import { moveToBase } from './move-to-base.ts';
import { outcomeOf } from './outcome-of.ts';
import { provePatch } from './prove.ts';
import { type PreparedRun, type RunTracker, reach } from './stages.ts';

/** Opens the patch of a run that ended with one. The tracker follows it. */
export function openVerifiedPatch(
  run: PreparedRun,
  ending: Ending,
  { tracker, limit }: { readonly tracker: RunTracker; readonly limit: Pick<TimeLimit, 'check'> },
): VerifiedPatch {
  const { id, task, mode, note } = run;
  let current = run;
  return {
    run: id,
    task,
    mode,
    ending,
    note,
    hasVerifier: run.services.verifier !== null,
    git: () => current.services.session.git,
    verification: () => current.state.verification,
    changes: () => current.services.session.changes(),
    moveTo: async base => {
      const moved = await moveToBase(current, base);
      current = reach(tracker, moved.run);
      return moved.ending ?? undefined;
    },
    prove: async () => {
      const proven = reach(tracker, await provePatch(current));
      const outcome = outcomeOf(ending, factsOf(proven));
      await limit.check();
      return { changes: proven.changes, tree: proven.tree, outcome };
    },
    delivered: delivery => {
      tracker.delivered = delivery;
      return delivery;
    },
  };
}
