/** The model of a run: an endpoint, a recorded run, or the embedded engine. */

import { modelAfter, recordedModel, renderHeader } from '../../audit/record.ts';
import type { Phase } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import { mark } from '../../ledger/mark.ts';
import { openModel } from '../../model/client.ts';
import { withFallbacks } from '../../model/fallback.ts';
import type { Model } from '../../model/turn.ts';
import type { TimeLimit } from '../../process/time-limit.ts';
import type { BuiltinModel, TaskText } from '../../repair/engine.ts';
import { openBuiltin } from '../../repair/engine.ts';
import { makeRepairContext } from '../repair-context.ts';
import type { EquippedRun, RunRequest } from '../stages.ts';
import { withTags } from './calls-in-tags.ts';

/** Opens the endpoint or the recorded run early, so that it is warm; null for the embedded engine. */
export function openEndpoint(
  request: RunRequest,
  { limit, phase }: { readonly limit: TimeLimit; readonly phase: () => Phase },
): Model | null {
  const { environment, input, note } = request;
  if (input.replay !== undefined) return input.replay.model;
  const { settings, modelKey: apiKey, log } = environment;
  if (settings.engine !== 'openai') return null;
  const { clock, deadline } = limit;
  const onLearned = learnerOf(request, phase);
  const open = (model: string) =>
    openModel({ ...settings, model, apiKey, clock, deadline, log, onLearned });
  const endpoint = open(settings.model);
  // at the same address, with the same key: a repository cannot send the key elsewhere
  return withFallbacks([endpoint, ...settings.fallbacks.map(open)], ({ from, to, error }) => {
    const text = `The model ${from} is gone (${error.code}); ${to} took over.`;
    log(text);
    note(text);
  });
}

/** Notes a fact about the endpoint, and keeps it in the ledger. */
function learnerOf({ note, ledger }: RunRequest, phase: () => Phase): (fact: string) => void {
  return fact => {
    note(`Model endpoint: ${fact}.`);
    ledger.append({ ...mark('model.learned', { fact }), phase: phase() });
  };
}

/** Where a run gets its replies from. */
export interface ModelSource {
  /** Null when the embedded engine drives the run. */
  readonly endpoint: Model | null;
  /** What must hold before the model gets its first request. */
  readonly ready: Promise<unknown>;
  readonly limit: TimeLimit;
  readonly phase: () => Phase;
}

/** The model that the loop asks, and the embedded engine when it is that. */
export async function openRunModel(
  run: EquippedRun,
  { endpoint, ready, limit, phase }: ModelSource,
): Promise<{ readonly model: Model; readonly builtin: BuiltinModel | null }> {
  const checked = (model: Model) => modelAfter(ready, recording(run, model));
  if (endpoint !== null) {
    const { profile } = run.policy;
    const learned = learnerOf(run, phase);
    const onRefused = (reason: string) => {
      const fact = `it takes no tools (${reason}), so calls are tags in the text`;
      run.environment.log(`Model endpoint: ${fact}.`);
      learned(fact);
    };
    const model = withTags(endpoint, { profile, onRefused });
    const shown = watched(run, model, `waiting for ${run.environment.settings.model}`);
    return { model: checked(shown), builtin: null };
  }
  const builtin = await openEngine(run, limit);
  return { model: checked(watched(run, builtin, 'embedded engine')), builtin };
}

/** Shows each request while it waits for its reply. */
function watched({ input }: EquippedRun, model: Model, what: string): Model {
  const { watch } = input.log;
  if (watch === undefined) return model;
  return {
    name: model.name,
    complete: async (request, signal) => {
      const shown = watch.begin(what);
      return model.complete(request, signal).finally(() => shown.end());
    },
  };
}

async function openEngine(
  run: EquippedRun,
  { deadline, signal }: TimeLimit,
): Promise<BuiltinModel> {
  // loaded here, since a run with an endpoint does not need it
  const { services, policy, environment, scrub, input } = run;
  const { shipped, log } = environment;
  return openBuiltin({
    task: taskTextOf(run.task),
    context: async () => {
      const { now } = input;
      const made = await makeRepairContext({
        caller: 'repair',
        services,
        policy,
        shipped,
        scrub,
        log,
        now,
        deadline,
        signal,
      });
      // a run that ends with its plan needs no run before the patch
      return run.task.until === undefined ? made : { ...made, baseline: undefined };
    },
  });
}

/** The text of a task, without what Photon added to it. */
function taskTextOf({ prompt, trigger, context }: Task): TaskText {
  const texts = context.filter(c => c.author !== 'Photon').map(c => c.text);
  return { prompt, isFix: trigger === 'comment', context: texts };
}

/** With `record`, the task and each reply are kept beside the ledger, without secrets. */
function recording(
  { environment, folder, input, id, task, scrub }: EquippedRun,
  model: Model,
): Model {
  if (!environment.settings.record) return model;
  const keep = (line: string) => folder.append(folder.recordPath, scrub(line));
  keep(renderHeader(id, task, input.inputs));
  return recordedModel(model, keep);
}
