/** The dashboard issue: each maintenance task with its last run, and a box to run it now. Pure. */
import {
  type DashboardState,
  dashboardMarker,
  type LastRun,
  renderDashboardState,
} from '../dashboard-state.ts';
import type { MaintenanceTask } from '../settings/maintenance.ts';
import { cellText } from './escape.ts';

export const dashboardTitle = 'Photon maintenance';

/** Body of the issue. Boxes come out empty: a ticked one has been heard. */
export function renderDashboard(
  tasks: readonly Pick<MaintenanceTask, 'name' | 'prompt'>[],
  state: DashboardState,
): string {
  const kept = Object.fromEntries(
    tasks.flatMap(({ name }) => (state[name] ? [[name, state[name]]] : [])),
  );
  return [
    dashboardMarker,
    'The maintenance tasks of `.photon/config.json`, kept current by Photon. Tick a box to run a task now; people with write access are heard.',
    '',
    '| task | what | last run (UTC) | ended | pull request | cost |',
    '|---|---|---|---|---|---|',
    ...tasks.map(({ name, prompt }) => row(name, prompt, state[name])),
    '',
    ...tasks.map(({ name }) => `- [ ] <!-- photon:run=${name} --> run \`${name}\` now`),
    '',
    renderDashboardState(kept),
  ].join('\n');
}

function row(name: string, prompt: string, last: LastRun | undefined): string {
  const what = cellText(prompt.split('\n')[0] ?? '', 80);
  if (last === undefined) return `| \`${name}\` | ${what} | never | | | |`;
  const cost = last.cost === undefined ? `${last.tokens} tokens` : last.cost.toFixed(4);
  const pull = last.pull === undefined ? '' : `#${last.pull}`;
  const at = last.at.slice(0, 16).replace('T', ' ');
  return `| \`${name}\` | ${what} | ${at} | ${last.status} (\`${last.code}\`) | ${pull} | ${cost} |`;
}
