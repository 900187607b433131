/** Renders the dashboard issue: each maintenance task with its last run, and a box to run it now. */
import {
  type DashboardState,
  dashboardMarker,
  type LastRun,
  renderDashboardState,
} from '../../base/dashboard-state.ts';
import type { Outcome } from '../../base/outcome.ts';
import { joinDefined } from '../../base/plural.ts';
import type { MaintenanceTask } from '../../settings/maintenance.ts';
import { cellText, tableLines } from '../escape.ts';

/** Body of the issue. All boxes are empty: Photon has already handled a ticked one. */
function renderDashboard(
  tasks: readonly Pick<MaintenanceTask, 'name' | 'prompt'>[],
  state: DashboardState,
): string {
  const kept = Object.fromEntries(
    tasks.flatMap(({ name }) => (state[name] ? [[name, state[name]]] : [])),
  );
  return joinDefined([
    dashboardMarker,
    tasks.length === 0
      ? ['Photon comments here on scheduled runs that failed.']
      : [
          'Photon keeps this list of the maintenance tasks in `.photon/config.json` up to date. If you have write access, tick a box to run that task now.',
          '',
          ...tableLines(
            ['task', 'description', 'last run (UTC)', 'ended', 'pull request', 'cost'],
            tasks.map(({ name, prompt }) => row(name, prompt, state[name])),
          ),
        ],
    '',
    ...tasks.map(({ name }) => `- [ ] <!-- photon:run=${name} --> run \`${name}\` now`),
    '',
    renderDashboardState(kept),
  ]);
}

function row(name: string, prompt: string, last: LastRun | undefined) {
  const description = cellText(prompt.split('\n')[0] ?? '', 80);
  if (last === undefined) return [`\`${name}\``, description, 'never', '', '', ''];
  const cost = last.cost === undefined ? `${last.tokens} tokens` : last.cost.toFixed(4);
  const pull = last.pull === undefined ? '' : `#${last.pull}`;
  const ended = `${last.status} (\`${last.code}\`)`;
  return [`\`${name}\``, description, formatMinute(last.at), ended, pull, cost];
}

function formatMinute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

function renderSolved(
  name: string,
  { status, code }: Pick<Outcome, 'status' | 'code'>,
  at: string,
): string {
  return `**Solved: the task \`${name}\` works again.** It ended ${status} (${cellText(code, 40)}) at ${formatMinute(at)} UTC.`;
}

export const dashboardText = {
  title: 'Photon maintenance',
  render: renderDashboard,
  renderTitle: (name: string) => `**Maintenance task \`${name}\`**\n\n`,
  renderSolved,
} as const;
