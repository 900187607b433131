/** Keeps the dashboard issue current after maintenance runs. */
import { type DashboardState, type EndOfRun, withRuns } from '../../dashboard-state.ts';
import type { MaintenanceTask } from '../../settings/settings.ts';
import { messageOf as sayingOf } from '../api/github-errors.ts';
import type { Opened } from '../context/open-run.ts';
import { findDashboard, writeDashboard } from './dashboard.ts';

/** A run and how it ended; of a maintenance task, or of another. */
export interface MaintenanceRun {
  readonly outcome: EndOfRun & { readonly task: { readonly maintenance?: string | undefined } };
}

/** How the issue is put in words. */
export interface DashboardText {
  readonly title: string;
  readonly render: (tasks: readonly MaintenanceTask[], state: DashboardState) => string;
}

/** A dashboard that cannot be written fails no run: the log says so. */
export async function keepDashboard(
  opened: Pick<Opened, 'settings' | 'input' | 'repository' | 'github' | 'log'>,
  results: readonly MaintenanceRun[],
  { title, render }: DashboardText,
): Promise<void> {
  const { settings, input, repository, log } = opened;
  const runs = results.flatMap(({ outcome }) => {
    const name = outcome.task.maintenance;
    return name === undefined ? [] : [{ name, outcome }];
  });
  if (!settings.dashboard || runs.length === 0) return;
  if (settings.dryRun || settings.staged || input.delivery !== 'github') return;
  try {
    const github = await opened.github();
    const found = await findDashboard(github, repository);
    const at = new Date(input.now()).toISOString();
    const body = render(settings.maintenance, withRuns(found?.state ?? {}, runs, at));
    await writeDashboard(github, repository, { found, title, body });
  } catch (error) {
    log(`The dashboard could not be kept: ${sayingOf(error)}`);
  }
}
