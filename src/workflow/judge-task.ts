/** How the run of a task ended, as its workflow sees it. Pure. */
import type { Outcome } from '../outcome.ts';
import type { TaskEnd } from './state.ts';
import type { WorkflowTask } from './workflow-file.ts';

/** The end of a task, and the outputs that it did not make. */
export interface Judged {
  readonly end: TaskEnd;
  readonly missing: readonly string[];
}

/**
 * A task is done when its patch is verified, or nothing was to be changed, and each output is there.
 * @param paths of all files with the patch.
 */
export function judgeTask(
  task: WorkflowTask,
  { status, code, runId }: Pick<Outcome, 'status' | 'code' | 'runId'>,
  paths: ReadonlySet<string>,
): Judged {
  const failed = (why: string, missing: readonly string[] = []): Judged => {
    return { end: { status: 'FAILED', run: runId, code: why }, missing };
  };
  const done =
    (status === 'committed' && code === 'PATCH_WRITTEN') ||
    (status === 'no_change' && code === 'PATCH_EMPTY');
  if (!done) return failed(code);
  const missing = task.outputs.map(o => o.path).filter(path => !isThere(path, paths));
  if (missing.length > 0) return failed('WORKFLOW_OUTPUT_MISSING', missing);
  return {
    end: { status: task.review ? 'NEEDS_REVIEW' : 'COMPLETED', run: runId, code },
    missing,
  };
}

function isThere(path: string, paths: ReadonlySet<string>): boolean {
  const folder = path.replace(/\/?$/, '/');
  if (!path.endsWith('/') && paths.has(path)) return true;
  for (const each of paths) if (each.startsWith(folder)) return true;
  return false;
}
