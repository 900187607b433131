/** Where the records of a repository are: on a ref of the repository, or of the one that the settings name. */
import type { Task } from '../../base/task.ts';
import type { MemorySource } from '../../memory/open-memory.ts';
import type { RunInput } from '../host.ts';
import { openRefStore } from './api/ref-store.ts';
import { authorise, trustedEvents } from './auth/authorise.ts';
import type { RepositoryContext } from './auth/repository-context.ts';
import { settleClosed } from './maintenance/settle-records.ts';

/** What the place of the records depends on. */
interface MemoryPlaceContext extends Pick<RepositoryContext, 'github' | 'settings' | 'log'> {
  readonly input: RunInput;
}

/** Workspace of the records of a repository. */
export function repositoryWorkspace(repository: string): string {
  return repository.toLowerCase();
}

/** The place; undefined when memory is off. */
export function openMemoryPlace(
  context: MemoryPlaceContext,
): () => Promise<MemorySource | undefined> {
  const { input, settings, github } = context;
  if (settings.memoryMode === 'off' || input.replay !== undefined) return async () => undefined;
  const { repository, now } = input;
  const home = repositoryWorkspace(repository);
  const store = openRefStore(github, settings.memoryStore);
  const records = { github, store, home, now };
  const place: MemorySource = {
    store,
    isThere: () => true,
    home,
    mayKeep: task => mayKeep(context, task),
    settle: () => settleClosed(records),
  };
  return async () => place;
}

/**
 * Commands are authorised before they become tasks. A task of the input can run on any event, so its
 * actor must have write access: a stranger's issue could have started the workflow.
 */
async function mayKeep(
  { input, settings, github, log }: MemoryPlaceContext,
  task: Task,
): Promise<boolean> {
  if (task.trigger !== 'task' || trustedEvents.has(input.event.name)) return true;
  const answer = await authorise(
    { github, settings },
    // the environment holds no id of the actor; the API looks actors up by login
    { login: input.actor, id: 0, type: 'User' },
  );
  if (!answer.allowed)
    log(`Records: Photon keeps nothing of this run, because its actor ${answer.reason}.`);
  return answer.allowed;
}
