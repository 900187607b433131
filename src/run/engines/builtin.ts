/** A run that the embedded engine drives. */
import { openBuiltin } from '../../repair/engine.ts';
import { describeRepairTask, makeRepairContext } from '../repair-context.ts';
import type { Engine, EngineParts, LoadedRun, OpenedEngine } from '../stages.ts';

export const builtin: Engine = {
  name: 'builtin',
  provider: () => 'photon',
  asksAModel: false,
  readsInstructions: false,
  seesImages: () => false,
  open: openEngine,
};

function openEngine(run: LoadedRun, { services, limit }: EngineParts): OpenedEngine {
  const { task, kind, environment } = run;
  const model = openBuiltin({
    task: describeRepairTask(task),
    context: async () => {
      const { log } = environment;
      const made = await makeRepairContext(run, services, { caller: 'repair', log, limit });
      // a run that changes nothing needs no run before the patch
      return kind.changes ? made : { ...made, baseline: undefined };
    },
  });
  return { model, waiting: 'embedded engine', repair: () => model.repair() };
}
