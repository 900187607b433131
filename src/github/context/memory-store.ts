/** Where the records of a process are: the repository's own ref, or a file of the checkout in local use. */

import type { MemoryPlace } from '../../agent/context/open-memory.ts';
import type { RunInput } from '../../agent/run/run-input.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../task.ts';
import type { Git } from '../../workspace/git.ts';
import { findLocalStore } from '../../workspace/local-store.ts';
import type { GitHub } from '../api/github.ts';
import { openRefStore } from '../api/ref-store.ts';
import { authorise, trustedEvents } from '../auth/authorise.ts';
import { settleClosed } from './settle-records.ts';

export interface MemoryGround {
  readonly input: RunInput;
  readonly settings: Settings;
  readonly git: Git;
  readonly github: () => Promise<GitHub>;
  readonly log: (line: string) => void;
}

/** Workspace of the records of a repository. */
export function repositoryWorkspace(repository: string): string {
  return repository === '' ? 'local' : repository.toLowerCase();
}

/** The place, found at its first use; null where memory is off, or local and nobody asked for it. */
export function openMemoryPlace(ground: MemoryGround): () => Promise<MemoryPlace | null> {
  let place: Promise<MemoryPlace | null> | null = null;
  return () => {
    place ??= findPlace(ground);
    return place;
  };
}

async function findPlace(ground: MemoryGround): Promise<MemoryPlace | null> {
  const { input, settings, git, github, log } = ground;
  const { repository } = input;
  if (settings.memoryMode === 'off' || input.replay !== undefined) return null;
  const home = repositoryWorkspace(repository);
  if (repository === '') {
    if (await isTracked(git)) {
      log(
        'Records: .photon/memory is part of the repository; a store that came with it is not read.',
      );
      return null;
    }
    const store = findLocalStore(input.recordsFolder ?? git.checkout, {
      make: settings.memoryNamed,
    });
    return store && { store, home, mayKeep: async () => true, settle: async () => [] };
  }
  const store = openRefStore(github, { repository, store: settings.memoryStore });
  const closing = { github, repository, store, home, now: input.now };
  return {
    store,
    home,
    mayKeep: task => mayKeep(ground, task),
    settle: () => settleClosed(closing),
  };
}

/** A clone may bring files of anybody's: only a store that this machine made counts. */
async function isTracked(git: Git): Promise<boolean> {
  const paths = [...(await git.entriesOf(git.tree)).keys()];
  return paths.some(p => p.toLowerCase().startsWith('.photon/memory'));
}

/**
 * A command was authorised before it became a task. A task of the input may run on any event: its
 * actor must then have write access, since a stranger's issue could have started the workflow.
 */
async function mayKeep(
  { input, settings, github, log }: MemoryGround,
  task: Task,
): Promise<boolean> {
  if (task.trigger !== 'task' || trustedEvents.has(input.event.name)) return true;
  const answer = await authorise(
    await github(),
    { repository: input.repository, allowedActors: settings.triggers },
    // the actor of a workflow has no number in the environment; the API is asked by login
    { login: input.actor, id: 0, type: 'User' },
  );
  if (!answer.allowed) log(`Records: nothing of this run is kept; its actor ${answer.reason}.`);
  return answer.allowed;
}
