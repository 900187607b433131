/** Renders the dashboard issue: each maintenance task with its last run, and a box to run it now. */
import {
  type DashboardState,
  dashboardMarker,
  type LastRun,
  renderDashboardState,
} from '../dashboard-state.ts';
import type { MaintenanceTask } from '../settings/maintenance.ts';
import { cellText } from './escape.ts';

export const dashboardTitle = 'Photon maintenance';

/** Body of the issue. All boxes are empty: Photon has already handled a ticked one. */
export function renderDashboard(
  tasks: readonly Pick<MaintenanceTask, 'name' | 'prompt'>[],
  state: DashboardState,
): string {
  const kept = Object.fromEntries(
    tasks.flatMap(({ name }) => (state[name] ? [[name, state[name]]] : [])),
  );
  return [
    dashboardMarker,
    'Photon keeps this list of the maintenance tasks in `.photon/config.json` up to date. If you have write access, tick a box to run that task now.',
    '',
    '| task | description | last run (UTC) | ended | pull request | cost |',
    '|---|---|---|---|---|---|',
    ...tasks.map(({ name, prompt }) => row(name, prompt, state[name])),
    '',
    ...tasks.map(({ name }) => `- [ ] <!-- photon:run=${name} --> run \`${name}\` now`),
    '',
    renderDashboardState(kept),
  ].join('\n');
}

function row(name: string, prompt: string, last: LastRun | undefined): string {
  const description = cellText(prompt.split('\n')[0] ?? '', 80);
  if (last === undefined) return `| \`${name}\` | ${description} | never | | | |`;
  const cost = last.cost === undefined ? `${last.tokens} tokens` : last.cost.toFixed(4);
  const pull = last.pull === undefined ? '' : `#${last.pull}`;
  const at = last.at.slice(0, 16).replace('T', ' ');
  return `| \`${name}\` | ${description} | ${at} | ${last.status} (\`${last.code}\`) | ${pull} | ${cost} |`;
}
