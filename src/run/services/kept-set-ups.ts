/** The folder with results of set-ups: whether this run may save there, and what it is keyed by besides the files. */
import { arch, release } from 'node:os';
import type { SetUpCacheUse } from '../../base/outcome.ts';
import { childEnvironment } from '../../process/environment.ts';
import { identifyProgram } from '../../process/programs.ts';
import { systemName } from '../../process/this-platform.ts';
import type { BaseFiles } from '../../verify/base-files.ts';
import { openSetUpCache, type SetUpCache } from '../../verify/set-up/set-up-cache.ts';
import { openLayerStore } from '../../workspace/stores/layer-store.ts';
import type { View } from '../../workspace/views/view.ts';
import type { LoadedRun } from '../stages.ts';

/** Events that only people with write access, and the repository's own clock, cause. */
const trustedEvents = new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch']);

/** What decides whether a run may save. */
interface SavingFacts {
  readonly event: string;
  /** Full name of the ref that the workflow runs on, and its commit, as the runner states them. */
  readonly ref: string;
  readonly sha: string;
  /** Commit of the checkout. */
  readonly commit: string;
}

/** Why a run may not save the result of its set-up; undefined if it works on the default branch as it is. */
export async function whyNotSaved(
  { event, ref, sha, commit }: SavingFacts,
  defaultBranch: () => Promise<string>,
): Promise<string | undefined> {
  if (!trustedEvents.has(event)) return `a run for the event ${event} keeps nothing`;
  if (ref !== `refs/heads/${await defaultBranch()}`)
    return 'only a run on the default branch keeps it';
  return sha === commit ? undefined : 'the checkout is not the commit of the default branch';
}

export interface KeptSetUps {
  /** The folder as the setting names it. */
  readonly folder: string;
  /** The cache for the base of the run. */
  cacheFor(command: string, files: BaseFiles): SetUpCache<View>;
  /** What was done; undefined if no set-up ran. */
  use(): SetUpCacheUse | undefined;
}

/**
 * Opens the folder of the input `setup-cache`; undefined without it, and for a kind of run that keeps nothing.
 * @throws PhotonError `SETTING_INVALID`, `DISK`.
 */
export function openKeptSetUps(run: LoadedRun): KeptSetUps | undefined {
  const { environment, folder, input, kind } = run;
  const { settings } = run.policy;
  const { git, log } = environment;
  // a record of somebody else must not name a folder
  if (settings.setUpCache === '' || !kind.keeps) return undefined;
  const { env, programs, now } = input;
  const [checkout, home] = [git.checkout, env.HOME ?? git.checkout];
  const store = openLayerStore({
    folder: settings.setUpCache,
    notIn: [checkout, folder.scratch],
    notAbove: [checkout, folder.scratch, home],
    programs,
    now,
  });
  const facts: Readonly<Record<string, string | undefined>> = {
    ...childEnvironment(env, settings.commandEnv),
    system: `${systemName} ${arch()} ${release()}`,
    image: `${env.ImageOS} ${env.ImageVersion}`,
  };
  const { event, ref, sha } = input;
  const saving = { event: event.name, ref, sha, commit: git.commit };
  let done: SetUpCacheUse | undefined;
  return {
    folder: settings.setUpCache,
    use: () => done,
    cacheFor: (command, files) =>
      openSetUpCache({
        store,
        git,
        command,
        files: files.setUpFiles,
        network: [settings.network.commands, ...(settings.network.hosts ?? [])].join(' '),
        machine: { facts, program: name => identifyProgram(env.PATH ?? '', name) },
        whyNotSaved: () => whyNotSaved(saving, environment.defaultBranch),
        log,
        used: use => {
          done = use;
        },
      }),
  };
}
