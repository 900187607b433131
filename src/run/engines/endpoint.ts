/** A run that a model endpoint drives. */
import { type Code, PhotonError } from '../../base/codes.ts';
import { mark } from '../../ledger/ledger.ts';
import { openModel } from '../../model/client.ts';
import { RefusedError } from '../../model/retry.ts';
import type { Message, Model, ModelRequest, Turn } from '../../model/turn.ts';
import { takesImages } from '../../settings/models.ts';
import { nameProvider } from '../../settings/vendors.ts';
import type { Engine, OpenedEngine, ReadyRun } from '../stages.ts';
import { withTags } from './calls-in-tags.ts';

export const endpoint: Engine = {
  name: 'endpoint',
  provider: ({ baseUrl }) => nameProvider(baseUrl),
  asksAModel: true,
  readsInstructions: true,
  seesImages: ({ model, fallbacks, images }) =>
    [model, ...fallbacks].some(name => takesImages(name, images)),
  open: openEndpoint,
};

function openEndpoint({ request, policy, state }: ReadyRun): OpenedEngine {
  const { environment, note, ledger, limit } = request;
  const { settings, modelKey: apiKey, log } = environment;
  const { clock, deadline } = limit;
  log(`The run asks ${settings.model} at ${settings.baseUrl}.`);
  const onLearned = (fact: string) => {
    note(`Model endpoint: ${fact}.`);
    ledger.append({ ...mark('model.learned', { fact }), phase: state.evidence.phase });
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

/** A change from one model to the next. */
export interface Takeover {
  readonly from: string;
  readonly to: string;
  readonly error: PhotonError;
}

/** Endings of a request that another model may not have. Each comes after the retries of the request. */
const gone: ReadonlySet<Code> = new Set([
  'MODEL_UNAVAILABLE',
  'MODEL_RATE_LIMIT',
  'MODEL_NOT_FOUND',
] as const);

/**
 * The models in order. A model that is gone is not asked again in this run. Every turn names its model, and
 * opaque parts go back only to the model that sent them.
 * @throws what the last model throws, and every error that does not mean that a model is gone.
 */
export function withFallbacks(
  models: readonly [Model, ...Model[]],
  onTakeover: (takeover: Takeover) => void,
): Model {
  const [first, ...others] = models;
  if (others.length === 0) return first;
  let current = first;
  return {
    name: first.name,
    complete: async (request, signal) => {
      for (;;) {
        try {
          return ownTurn(await current.complete(requestFor(current, request), signal), current);
        } catch (error) {
          const next = isOver(error) && others.shift();
          if (!next || signal.aborted) throw error;
          onTakeover({ from: current.name, to: next.name, error: error as PhotonError });
          current = next;
        }
      }
    },
  };
}

/** True for an error after which another model may do better. */
function isOver(error: unknown): boolean {
  return error instanceof RefusedError || (error instanceof PhotonError && gone.has(error.code));
}

function ownTurn(turn: Turn, { name: model }: Model): Turn {
  const { opaque } = turn;
  return { ...turn, model, opaque: opaque && { ...opaque, model } };
}

function requestFor({ name }: Model, request: ModelRequest): ModelRequest {
  return { ...request, messages: request.messages.map(message => forModel(name, message)) };
}

function forModel(model: string, message: Message): Message {
  if (message.role !== 'assistant' || (message.opaque?.model ?? model) === model) return message;
  const { opaque: _foreign, ...rest } = message;
  return rest;
}
