/** A run that gets the replies of a record. In all else it is as what drove the recorded run. */
import type { Model } from '../../model/turn.ts';
import type { Engine } from '../stages.ts';

/** The engine that gives the recorded replies in place of another one. */
export function makeReplayEngine(recorded: Engine, model: Model): Engine {
  return {
    ...recorded,
    name: 'replay',
    asksAModel: false,
    seesImages: () => false,
    open: () => ({ model, waiting: 'the record', repair: () => undefined }),
  };
}
