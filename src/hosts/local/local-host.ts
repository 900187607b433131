/** The terminal as a host: one task on a checkout, whose patch becomes a file or changes the work tree. */
import { PhotonError } from '../../base/codes.ts';
import { once } from '../../base/once.ts';
import type { Task } from '../../base/task.ts';
import type { MemorySource } from '../../memory/open-memory.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Git } from '../../workspace/git/git.ts';
import { hasLocalStore, openLocalStore } from '../../workspace/stores/versioned-store.ts';
import { openLocalFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { deliverHere, type RenderPullRequest } from '../deliver-patch.ts';
import type { Host, OpenHost, RunEnvironment, RunInput, TaskContext, TaskPlan } from '../host.ts';
import { inputTasks, nothingToRepair, readyTasks, taskOfInput } from '../input-task.ts';
import { openEnvironment, withCheckout } from '../open-environment.ts';

/** Workspace of the records of a checkout. */
export const localWorkspace = 'local';

/** Renders the pull request that a staged run would open. */
type RenderStaged = (
  task: Task,
  settings: Pick<Settings, 'titleTemplate'>,
) => { readonly pullRequest: RenderPullRequest };

/**
 * A host without a server: the trusted files are those of the commit that is checked out, and of the work tree what
 * the person at the terminal chose.
 */
export function localHost(render: RenderStaged): OpenHost {
  return (input, folder) =>
    withCheckout(input, folder, async checkout => {
      const { settingsFiles = [] } = input;
      const { git: whole, log } = checkout;
      const tree =
        settingsFiles.length === 0 ? whole.commit : await whole.writeFullTree(settingsFiles);
      const trusted = openLocalFiles(whole, { ref: whole.branch, commit: tree });
      const common = await openEnvironment(checkout, trusted, { asksModel: true });
      const { settings, git } = common;
      const environment = {
        ...common,
        baseRef: settings.base || git.branch,
        memory: once(() => findRecords(input, { git, settings, log })),
        images: async () => [],
        pullDiff: () =>
          Promise.reject(new PhotonError('GITHUB_REQUEST', 'A local run has no pull request.')),
        findAdvisories: undefined,
      };
      const about = { ...environment, repository: input.repository };
      return openHost(environment, { about, trusted, render });
    });
}

function openHost(
  environment: RunEnvironment & { close(): Promise<void> },
  {
    about,
    trusted,
    render,
  }: { readonly about: TaskContext; readonly trusted: TrustedFiles; readonly render: RenderStaged },
): Host {
  const host: Host = {
    environment,
    readTrigger: () => readInputs(about),
    trusted: async () => trusted,
    within: () => host,
    attend: ({ task }) => ({
      ready: Promise.resolve(),
      publish: patch =>
        deliverHere(environment, patch, render(task, environment.settings).pullRequest),
      post: async ending => ending,
      close: async () => {},
    }),
    report: async () => ({}),
    conclude: async () => {},
    close: () => environment.close(),
  };
  return host;
}

/** The first patch changes the files at a terminal, and a second run would not see it: so one finding is taken. */
async function readInputs(about: TaskContext): Promise<readonly TaskPlan[]> {
  const task = taskOfInput(about, about.input.event.taskInput.trim(), {
    source: 'typed task',
  });
  const tasks = await inputTasks(about, task, 1);
  if (tasks.length === 0) return [nothingToRepair];
  return readyTasks(
    tasks.map(each => ({ task: each })),
    about,
  );
}

/** The records of the checkout; undefined when memory is off, or when the repository itself holds a store. */
async function findRecords(
  { recordsFolder, replay }: RunInput,
  { git, settings, log }: { readonly git: Git } & Pick<RunEnvironment, 'settings' | 'log'>,
): Promise<MemorySource | undefined> {
  if (settings.memoryMode === 'off' || replay !== undefined) return undefined;
  // a clone can hold a store that somebody else made: only a store that this machine made counts
  const paths = [...(await git.listTreeEntries(git.tree)).keys()];
  if (paths.some(p => p.toLowerCase().startsWith('.photon/memory'))) {
    log('Records: Photon does not read .photon/memory, because it is part of the repository.');
    return undefined;
  }
  const folder = recordsFolder ?? git.checkout;
  return {
    store: openLocalStore(folder),
    isThere: () => hasLocalStore(folder),
    home: localWorkspace,
    mayKeep: async () => true,
    settle: async () => [],
  };
}
