/** Renders the state of a workflow for the terminal. */
import { plural } from '../../base/plural.ts';
import { renderWait, type Wait } from '../pull-request/wait-text.ts';

/** A task in the state of a workflow. */
export interface TaskLine {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly commit?: string | undefined;
  readonly run?: string | undefined;
  readonly code?: string | undefined;
  readonly wait?: Wait | undefined;
}

/** One line per task: status, number of runs, how the last one ended, its commit; a second one says why it waits. */
export function renderWorkflow({
  workflow,
  branch,
  tasks,
}: {
  workflow: string;
  branch: string;
  tasks: readonly TaskLine[];
}): string {
  const wide = Math.max(...tasks.map(t => t.id.length));
  const lines = tasks.flatMap(({ id, status, attempts, code, commit, run, wait }) => {
    const review = `photon workflow approve ${workflow} ${id}`;
    const line = [
      `  ${id.padEnd(wide)}  ${status.padEnd(12)}`,
      attempts === 0 ? 'not run yet' : plural(attempts, 'run'),
      code,
      run === undefined ? undefined : `run ${run}`,
      commit === undefined ? undefined : `commit ${commit.slice(0, 12)}`,
    ]
      .filter(item => item !== undefined)
      .join('  ');
    if (wait === undefined) return [line];
    return [line, `    ${renderWait(wait, { quote: text => text, review })}`];
  });
  return [`workflow ${workflow} on ${branch}`, ...lines, ''].join('\n');
}
