/** The one place that knows by its settings what drives a run. */
import type { RunInput } from '../../hosts/host.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Engine } from '../stages.ts';
import { builtin } from './builtin.ts';
import { endpoint } from './endpoint.ts';
import { makeReplayEngine } from './replay.ts';

/** What drives the run: a recorded one follows its record. */
export function pickEngine(
  { engine }: Pick<Settings, 'engine'>,
  { replay }: Pick<RunInput, 'replay'>,
): Engine {
  const named = engine === 'builtin' ? builtin : endpoint;
  return replay === undefined ? named : makeReplayEngine(named, replay.model);
}
