/** The ground of one task: a fork's code meets stricter settings. */
import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../task.ts';
import type { Opened } from './open-run.ts';

/** The same, unless the code is a fork's: then every wall must hold and no variable or path is let through. */
export function groundFor(opened: Opened, task: Task | null): Opened {
  if (task?.headBranch?.fork !== true) return opened;
  return { ...opened, settings: settingsForFork(opened.settings) };
}

function settingsForFork(settings: Settings): Settings {
  const network = settings.network === 'allow' ? 'setup' : settings.network;
  return { ...settings, sandbox: 'required', commandEnv: [], commandReads: [], network };
}
