/** What the embedded engine finds about failing tests before the first round of a model: part of its task. */
import { readOutside } from '../../guard/content/outside-text.ts';
import { openHints } from '../../repair/engine.ts';
import { describeRepairTask, makeRepairContext } from '../repair-context.ts';
import type { RunServices } from '../services/run-services.ts';
import type { EngineParts, LoadedRun } from '../stages.ts';

/** The share of the time that is left that a model waits for the hints at most, beside the setting. */
const share = 0.1;

/** The run with a text more in its task, if a model is asked to repair failing tests and the engine finds something. */
export async function withHints(
  run: LoadedRun,
  services: RunServices,
  limit: EngineParts['limit'],
): Promise<LoadedRun> {
  const { task, kind, engine, environment, input } = run;
  const { hintsMs } = environment.settings;
  const mayHelp = engine.asksAModel && input.replay === undefined && kind.changes && hintsMs > 0;
  if (!mayHelp || services.testCommand === undefined) return run;
  const hints = openHints(describeRepairTask(task));
  if (hints === undefined) return run;
  const now = input.now();
  const ms = Math.min(hintsMs, Math.max(0, limit.deadline - now) * share);
  const signal = AbortSignal.any([limit.signal, AbortSignal.timeout(ms)]);
  const made = await makeRepairContext(run, services, {
    caller: 'repair',
    log: environment.log,
    limit: { deadline: now + ms, signal },
  });
  // the verification has its own run before the patch, and the proof opens its own runners
  const text = await hints({ ...made, baseline: undefined, keep: () => {} });
  limit.signal.throwIfAborted();
  if (text === '') return run;
  const label = environment.taskTexts('hints_label', {});
  // it quotes the repository and its tests
  const shown = readOutside('tool result', run.scrub(text)).text;
  const context = [...task.context, { label, author: 'Photon', text: shown }];
  return { ...run, task: { ...task, context } };
}
