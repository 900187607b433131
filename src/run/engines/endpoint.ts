/** A run that a model endpoint drives. */
import { mark } from '../../ledger/mark.ts';
import { openModel } from '../../model/client.ts';
import { withFallbacks } from '../../model/fallback.ts';
import { providerName } from '../../model/providers.ts';
import { takesImages } from '../../settings/models.ts';
import type { Engine, EngineParts, LoadedRun, OpenedEngine } from '../stages.ts';
import { withTags } from './calls-in-tags.ts';

export const endpoint: Engine = {
  name: 'endpoint',
  provider: ({ baseUrl }) => providerName(baseUrl),
  asksAModel: true,
  readsInstructions: true,
  seesImages: ({ model, fallbacks, images }) =>
    [model, ...fallbacks].some(name => takesImages(name, images)),
  open: openEndpoint,
};

function openEndpoint(run: LoadedRun, { limit, phase }: EngineParts): OpenedEngine {
  const { environment, note, ledger, policy } = run;
  const { settings, modelKey: apiKey, log } = environment;
  const { clock, deadline } = limit;
  log(`The run asks ${settings.model} at ${settings.baseUrl}.`);
  const onLearned = (fact: string) => {
    note(`Model endpoint: ${fact}.`);
    ledger.append({ ...mark('model.learned', { fact }), phase: phase() });
  };
  const open = (model: string) =>
    openModel({ ...settings, model, apiKey, clock, deadline, log, onLearned });
  // at the same address, with the same key: a repository cannot send the key elsewhere
  const models = [open(settings.model), ...settings.fallbacks.map(open)] as const;
  const model = withFallbacks(models, ({ from, to, error }) => {
    const text = `The model ${from} is gone (${error.code}); ${to} took over.`;
    log(text);
    note(text);
  });
  const onTags = (fact: string) => {
    log(`Model endpoint: ${fact}.`);
    onLearned(fact);
  };
  return {
    model: withTags(model, { profile: policy.profile, onTags }),
    waiting: `waiting for ${settings.model}`,
    repair: () => undefined,
  };
}
