/** One row of a fleet's plan: the task of one job of the matrix, and its repository. */
import * as z from 'zod';
import { PhotonError } from '../../../base/codes.ts';
import { pathPattern, patternsBelow } from '../../../base/path-patterns.ts';
import type { Task } from '../../../base/task.ts';
import type { RunInput } from '../../host.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { taskOfPrompt } from './tasks.ts';

const texts = z.array(z.string().min(1).max(200)).max(50);

/** A row as the workflow passes it on (`toJSON(matrix)`). */
export const rowSchema = z.object({
  /** Names the artifact of the row and, with the package, its branch. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/),
  task: z.string().min(1).max(20_000),
  /** `owner/name`. */
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  /** Folder of the package; empty for the whole repository. */
  package: z.string().max(500),
  /** Name of the maintenance task; empty for a task of the input. */
  maintenance: z.string().max(40),
  labels: texts,
  paths: z.array(pathPattern).max(50),
  skills: texts,
});

export type FleetRow = z.infer<typeof rowSchema>;

/**
 * The row in the input; undefined when the input is empty.
 * @throws PhotonError `ROW_INVALID` that names each wrong key.
 */
export function parseRow(text: string): FleetRow | undefined {
  if (text.trim() === '') return undefined;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    throw new PhotonError('ROW_INVALID', 'row is not JSON', { cause });
  }
  const parsed = rowSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    i => `row: /${i.path.map(String).join('/')}: ${i.message}`,
  );
  throw new PhotonError('ROW_INVALID', problems.join('\n'));
}

/** The input for the row's repository. The workflow's ref and commit belong to another repository, so they are removed. */
export function aimAt(input: RunInput, row: FleetRow | undefined): RunInput {
  if (row === undefined || row.repository === input.repository) return input;
  return { ...input, repository: row.repository, ref: '', sha: '' };
}

/** The task of a row. The patch of a package's task stays in the package's folder. */
export function taskOfRow(context: RepositoryContext, row: FleetRow): Task {
  const scope = row.package === '' ? '' : `Work in the package ${row.package} alone.\n\n`;
  const paths = row.package === '' ? row.paths : pathsInside(row.package, row.paths);
  const task = taskOfPrompt(context, `${scope}${row.task}`);
  const isMaintenance = row.maintenance !== '';
  return {
    ...task,
    id: row.id,
    trigger: isMaintenance ? 'schedule' : task.trigger,
    askedBy: isMaintenance ? 'schedule' : task.askedBy,
    maintenance: isMaintenance ? row.maintenance : task.maintenance,
    paths: paths.length === 0 ? task.paths : paths,
    skills: row.skills.length === 0 ? task.skills : row.skills,
    labels: row.labels.length === 0 ? task.labels : row.labels,
  };
}

/** Patterns of a task inside one folder; the whole folder when the task names none. */
function pathsInside(folder: string, paths: readonly string[]): readonly string[] {
  return patternsBelow(folder, paths.length === 0 ? ['/**'] : paths);
}
