/** One row of a fleet's plan: what one job of the matrix does, and in which repository. */
import * as z from 'zod';
import type { RunInput } from '../../agent/run/run-input.ts';
import { PhotonError } from '../../codes.ts';

const words = z.array(z.string().min(1).max(200)).max(50);

/** As the workflow hands it on (`toJSON(matrix)`). */
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
  labels: words,
  paths: words,
  skills: words,
});

export type FleetRow = z.infer<typeof rowSchema>;

/**
 * The row that the input gives; null when it gives none.
 * @throws PhotonError `ROW_INVALID` naming each key that is wrong.
 */
export function parseRow(text: string): FleetRow | null {
  if (text.trim() === '') return null;
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

/** The run aimed at the row's repository: ref and commit of the workflow are those of another. */
export function aimAt(input: RunInput, row: FleetRow | null): RunInput {
  if (row === null || row.repository === input.repository) return input;
  return { ...input, repository: row.repository, ref: '', sha: '' };
}
