/** The task of one row of a fleet's plan. Pure. */
import type { Task } from '../../task.ts';
import { taskOfInput } from '../events/input-task.ts';
import type { TaskGround } from '../events/planned-task.ts';
import type { FleetRow } from './row.ts';

/** The task of a row. A package's patch stays inside its folder. */
export function taskOfRow(options: TaskGround, row: FleetRow): Task {
  const where = row.package === '' ? '' : `Work in the package ${row.package} alone.\n\n`;
  const inside = row.package === '' ? row.paths : below(row.package, row.paths);
  return {
    ...taskOfInput(options, `${where}${row.task}`),
    id: row.id,
    ...(row.maintenance === ''
      ? {}
      : { trigger: 'schedule' as const, askedBy: 'schedule', maintenance: row.maintenance }),
    ...(inside.length === 0 ? {} : { paths: inside }),
    ...(row.skills.length === 0 ? {} : { skills: row.skills }),
    ...(row.labels.length === 0 ? {} : { labels: row.labels }),
  };
}

/** Patterns of a task inside one folder; the whole folder when the task names none. */
function below(folder: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [`${folder}/**`] : paths.map(pattern => `${folder}/${pattern}`);
}
