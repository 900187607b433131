/** Keeps the dashboard issue current after maintenance runs. */
import { decideDeliveryMode } from '../../agent/run/delivery-mode.ts';
import { type DashboardState, type EndOfRun, withRuns } from '../../dashboard-state.ts';
import type { MaintenanceTask } from '../../settings/maintenance.ts';
import { messageOf } from '../api/github-errors.ts';
import type { GitHubEnvironment } from '../context/open-environment.ts';
import { findDashboard, writeDashboard } from './dashboard.ts';

/** A run, of a maintenance task or not, and how it ended. */
export interface MaintenanceRun {
  readonly outcome: EndOfRun & { readonly task: { readonly maintenance?: string | undefined } };
}

/** The text of the issue. */
export interface DashboardText {
  readonly title: string;
  readonly render: (tasks: readonly MaintenanceTask[], state: DashboardState) => string;
}

/** Updates the dashboard. A failure is logged and fails no run. */
export async function keepDashboard(
  environment: Pick<GitHubEnvironment, 'settings' | 'input' | 'repository' | 'github' | 'log'>,
  results: readonly MaintenanceRun[],
  { title, render }: DashboardText,
): Promise<void> {
  const { settings, input, repository, log } = environment;
  const runs = results.flatMap(({ outcome }) => {
    const name = outcome.task.maintenance;
    return name === undefined ? [] : [{ name, outcome }];
  });
  if (!settings.dashboard || runs.length === 0) return;
  if (!decideDeliveryMode(settings, input.delivery).keepsDashboard) return;
  try {
    const github = await environment.github();
    const found = await findDashboard(github, repository);
    const at = new Date(input.now()).toISOString();
    const body = render(settings.maintenance, withRuns(found?.state ?? {}, runs, at));
    await writeDashboard(github, repository, { found, title, body });
  } catch (error) {
    log(`The dashboard could not be updated: ${messageOf(error)}`);
  }
}
