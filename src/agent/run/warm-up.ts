/** Loads what the next calls will need while the run waits for the model. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { protectedMatcher } from '../../guard/paths.ts';
import type { Constitution } from '../../guard/policy/constitution.ts';
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
  const warmUp = async (sent: Promise<void>) => {
    const planned = isPlanned ? null : plan();
    isPlanned ||= planned !== null;
    const read = isFirst ? services.session.warmUp() : null;
    isFirst = false;
    await sent;
    if (read !== null) protectedMatcher(constitution.protectedPaths)('any');
    if (planned !== null) await loadParsers(planned.affectedFiles, services);
    await read;
  };
  return {
    name: model.name,
    complete: (request, signal) => {
      const turn = model.complete(request, signal);
      warmUp(whenSent(turn)).catch(() => {});
      return turn;
    },
  };
}

/** Node's own `fetch` tells this channel that the body of a request was sent. */
const bodySent = 'undici:request:bodySent';

/** Ends when the next request was sent, or the turn ended without one: what is loaded before would delay it. */
async function whenSent(turn: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = () => resolve();
  subscribe(bodySent, sent);
  await Promise.race([promise, turn.catch(() => {})]);
  unsubscribe(bodySent, sent);
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
