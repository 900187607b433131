/** The one place that knows what drives a run: what its settings name, or a record. */
import type { RunInput } from '../../hosts/host.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Engine } from '../stages.ts';
import { builtin } from './builtin.ts';
import { endpoint } from './endpoint.ts';

/** What drives the run. One that gets the replies of a record is in all else as what drove the recorded run. */
export function pickEngine(
  { engine }: Pick<Settings, 'engine'>,
  { replay }: Pick<RunInput, 'replay'>,
): Engine {
  const named = engine === 'builtin' ? builtin : endpoint;
  if (replay === undefined) return named;
  const { model } = replay;
  return {
    ...named,
    name: 'replay',
    asksAModel: false,
    seesImages: () => false,
    open: () => ({ model, waiting: 'the record', repair: () => undefined }),
  };
}
