/** Where the records of a process are: on a ref of the repository, or in a file of the checkout in local use. */

import type { Task } from '../../../base/task.ts';
import type { MemoryPlace } from '../../../memory/open-memory.ts';
import type { RunInput } from '../../../run/run-input.ts';
import type { Git } from '../../../workspace/git/git.ts';
import { findLocalStore } from '../../../workspace/stores/local-store.ts';
import { openRefStore } from '../api/ref-store.ts';
import { authorise, trustedEvents } from '../auth/authorise.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { settleClosed } from './settle-records.ts';

/** What the place of the records depends on. */
export interface MemoryPlaceContext extends Pick<RepositoryContext, 'github' | 'settings' | 'log'> {
  readonly input: RunInput;
  readonly git: Git;
}

/** Workspace of the records of a repository. */
export function repositoryWorkspace(repository: string): string {
  return repository === '' ? 'local' : repository.toLowerCase();
}

/** The place, found at its first use; null when memory is off, or when it is local and no setting names it. */
export function openMemoryPlace(context: MemoryPlaceContext): () => Promise<MemoryPlace | null> {
  let place: Promise<MemoryPlace | null> | null = null;
  return () => {
    place ??= findPlace(context);
    return place;
  };
}

async function findPlace(context: MemoryPlaceContext): Promise<MemoryPlace | null> {
  const { input, settings, git, github, log } = context;
  const { repository } = input;
  if (settings.memoryMode === 'off' || input.replay !== undefined) return null;
  const home = repositoryWorkspace(repository);
  if (repository === '') {
    if (await isTracked(git)) {
      log('Records: Photon does not read .photon/memory, because it is part of the repository.');
      return null;
    }
    const store = findLocalStore(input.recordsFolder ?? git.checkout, {
      make: settings.memoryNamed,
    });
    return store && { store, home, mayKeep: async () => true, settle: async () => [] };
  }
  const store = openRefStore(github, { repository, store: settings.memoryStore });
  const records = { github, repository, store, home, now: input.now };
  return {
    store,
    home,
    mayKeep: task => mayKeep(context, task),
    settle: () => settleClosed(records),
  };
}

/** A clone can hold a store that somebody else made. Only a store that this machine made counts. */
async function isTracked(git: Git): Promise<boolean> {
  const paths = [...(await git.entriesOf(git.tree)).keys()];
  return paths.some(p => p.toLowerCase().startsWith('.photon/memory'));
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
    await github(),
    { repository: input.repository, allowedActors: settings.triggers },
    // the environment holds no id of the actor; the API looks actors up by login
    { login: input.actor, id: 0, type: 'User' },
  );
  if (!answer.allowed)
    log(`Records: Photon keeps nothing of this run, because its actor ${answer.reason}.`);
  return answer.allowed;
}
