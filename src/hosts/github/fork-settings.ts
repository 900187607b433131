/** The environment of one task: the code of a fork meets stricter settings. */

import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../task.ts';
import type { GitHubEnvironment } from './auth/repository-context.ts';

/** For the code of a fork every guarantee must hold, and no extra variable or path is visible. */
export function environmentFor(
  environment: GitHubEnvironment,
  task: Task | null,
): GitHubEnvironment {
  if (task?.headBranch?.fork !== true) return environment;
  const settings = settingsForFork(environment.settings);
  return { ...environment, settings, git: environment.git.showing(settings.commandReads) };
}

function settingsForFork(settings: Settings): Settings {
  const { commands, hosts } = settings.network;
  const network = { commands: commands === 'allow' ? 'setup' : commands, hosts } as const;
  return { ...settings, sandbox: 'required', commandEnv: [], commandReads: [], network };
}
