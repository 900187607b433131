/** A run that the embedded engine drives. */
import { openBuiltin } from '../../repair/engine.ts';
import { describeRepairTask, makeRepairContext } from '../repair-context.ts';
import type { Engine, OpenedEngine, ReadyRun } from '../stages.ts';

export const builtin: Engine = {
  name: 'builtin',
  provider: () => 'photon',
  asksAModel: false,
  readsInstructions: false,
  seesImages: () => false,
  open: openEngine,
};

function openEngine(run: ReadyRun): OpenedEngine {
  const { task, kind, environment, limit } = run.request;
  const model = openBuiltin({
    task: describeRepairTask(task),
    context: async () => {
      const { log } = environment;
      const made = await makeRepairContext(run, run.services, { caller: 'repair', log, limit });
      // a run that changes nothing needs no run before the patch
      return kind.changes ? made : { ...made, baseline: undefined };
    },
  });
  return { model, waiting: 'embedded engine', repair: () => model.repair() };
}
