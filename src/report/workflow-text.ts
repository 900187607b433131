/** Renders the state of a workflow for the terminal. */

/** A task in the state of a workflow. */
export interface TaskLine {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly commit?: string | undefined;
  readonly run?: string | undefined;
  readonly code?: string | undefined;
}

/** One line per task: status, number of runs, how the last one ended, its commit. */
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
  const lines = tasks.map(({ id, status, attempts, code, commit, run }) =>
    [
      `  ${id.padEnd(wide)}  ${status.padEnd(12)}`,
      attempts === 0 ? 'never run' : `${attempts} run${attempts === 1 ? '' : 's'}`,
      ...(code === undefined ? [] : [code]),
      ...(run === undefined ? [] : [`run ${run}`]),
      ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ].join('  '),
  );
  return [`workflow ${workflow} on ${branch}`, ...lines, ''].join('\n');
}
