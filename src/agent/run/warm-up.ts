/** Loads what the next calls will need while the run waits for the model. */
import type { Constitution } from '../../guard/constitution.ts';
import { protectedMatcher } from '../../guard/paths.ts';
import type { Model } from '../../model/turn.ts';
import { isScript } from '../../navigation/script-syntax.ts';
import type { Plan } from '../../outcome.ts';
import type { RunServices } from './run-services.ts';

/** What calls work with, loaded at its first use otherwise. */
interface WarmedParts {
  readonly services: Pick<RunServices, 'session' | 'symbols' | 'navigation'>;
  readonly constitution: Constitution;
  /** The plan as it is now. */
  readonly plan: () => Plan | null;
}

/**
 * The same model. While its first request is answered, the files of a small repository are read for searches; after
 * the plan, the parsers of the planned files are loaded. Whatever fails here fails again for the call that needs it.
 */
export function withWarmUp(model: Model, { services, constitution, plan }: WarmedParts): Model {
  let isFirst = true;
  let isPlanned = false;
  const warmUp = async () => {
    const planned = isPlanned ? null : plan();
    isPlanned ||= planned !== null;
    if (isFirst) {
      isFirst = false;
      await services.session.warmUp();
      protectedMatcher(constitution.protectedPaths)('any');
    }
    if (planned !== null) await loadParsers(planned.affectedFiles, services);
  };
  return {
    name: model.name,
    complete: (request, signal) => {
      const turn = model.complete(request, signal);
      warmUp().catch(() => {});
      return turn;
    },
  };
}

/** An empty text loads a parser. Those that are programs are left out: they would start. */
async function loadParsers(
  paths: readonly string[],
  { symbols, navigation }: WarmedParts['services'],
): Promise<void> {
  const oneOfEach = new Map(paths.map(path => [path.slice(path.lastIndexOf('.')), path])).values();
  for (const path of oneOfEach) {
    await symbols.symbolsOf(path, '');
    if (isScript(path)) await navigation.syntax.check(path, '');
  }
}
