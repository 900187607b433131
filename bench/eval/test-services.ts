/** Opens what runs the tests of a repository, by its own settings, without a model. */
import { PhotonError } from '../../src/base/codes.ts';
import type { Task } from '../../src/base/task.ts';
import { decideDeliveryMode } from '../../src/hosts/delivery-mode.ts';
import type { RunEnvironment, RunInput } from '../../src/hosts/host.ts';
import { openTimeLimit } from '../../src/process/time-limit.ts';
import { builtin } from '../../src/run/engines/builtin.ts';
import { change } from '../../src/run/kinds/change.ts';
import { loadRun } from '../../src/run/load-run.ts';
import { openRunServices } from '../../src/run/services/open-services.ts';
import type { RunServices } from '../../src/run/services/run-services.ts';
import { openRun } from '../../src/run/stages.ts';
import { openSessionStore } from '../../src/workspace/session/session-store.ts';

/** What the tests run with. */
interface TestServices {
  readonly services: RunServices;
  readonly environment: RunEnvironment;
}

/** What stands for the task: nobody asked for one. */
const task: Task = {
  id: 'verify',
  trigger: 'local',
  prompt: '',
  context: [],
  askedBy: '',
  repository: '',
  baseRef: '',
  hiddenRemoved: 0,
};

/** Opens the services, and closes them after the work. Nothing of them is kept. */
export async function withTestServices<T>(
  given: RunInput,
  work: (opened: TestServices) => Promise<T>,
): Promise<T> {
  const bare = openRun(given, undefined);
  const host = await given.host(given, bare.folder);
  if ('declined' in host) throw new PhotonError('EVENT_NOT_SERVED', host.declined);
  const { environment } = host;
  const stop = new AbortController();
  const signal = AbortSignal.any([given.signal, stop.signal]);
  const limit = openTimeLimit(signal, { ms: Number.POSITIVE_INFINITY, now: given.now });
  const { git, settings } = environment;
  const store = openSessionStore(bare.folder.sessionPath, {
    run: bare.id,
    agent: '',
    commit: git.commit,
    tree: git.tree,
  });
  try {
    const mode = decideDeliveryMode(settings, 'patch');
    const request = { ...bare, environment, task, mode, kind: change, engine: builtin, limit };
    const loaded = await loadRun(request, () => host.trusted());
    const services = await openRunServices(loaded, store);
    try {
      return await work({ services, environment });
    } finally {
      await services.close();
    }
  } finally {
    stop.abort();
    limit.close();
    store.close();
    await host.close();
    bare.ledger.close();
    await bare.folder.close();
    bare.folder.discard();
  }
}
