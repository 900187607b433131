/** How the run of a task ended, as its workflow sees it. Pure. */
import { runnerPatterns } from '../guard/path-classes.ts';
import type { Outcome } from '../outcome.ts';
import type { TaskEnd } from './state.ts';
import type { WorkflowTask } from './workflow-file.ts';

/** The end of a task, the outputs that it did not make, and files of its patch that people must look at. */
export interface Judged {
  readonly end: TaskEnd;
  readonly missing: readonly string[];
  readonly flagged: readonly string[];
}

/**
 * A task is done when its patch is verified, or nothing was to be changed, and each output is there.
 * Flagged files wait for a person: what they say would decide about the next task (SPEC §3).
 * @param paths of all files with the patch.
 */
export function judgeTask(
  task: WorkflowTask,
  { status, code, runId, patch }: Pick<Outcome, 'status' | 'code' | 'runId' | 'patch'>,
  paths: ReadonlySet<string>,
): Judged {
  const failed = (why: string, missing: readonly string[] = []): Judged => {
    return { end: { status: 'FAILED', run: runId, code: why }, missing, flagged: [] };
  };
  const done =
    (status === 'committed' && code === 'PATCH_WRITTEN') ||
    (status === 'no_change' && code === 'PATCH_EMPTY');
  if (!done) return failed(code);
  const missing = task.outputs.map(o => o.path).filter(path => !isThere(path, paths));
  if (missing.length > 0) return failed('WORKFLOW_OUTPUT_MISSING', missing);
  const flagged = patch.files
    .filter(f => f.flag !== undefined || decidesLater(f.path, paths))
    .map(f => f.path);
  const waits = task.review || flagged.length > 0;
  return {
    end: { status: waits ? 'NEEDS_REVIEW' : 'COMPLETED', run: runId, code },
    missing,
    flagged,
  };
}

function isThere(path: string, paths: ReadonlySet<string>): boolean {
  const folder = path.replace(/\/?$/, '/');
  if (!path.endsWith('/') && paths.has(path)) return true;
  for (const each of paths) if (each.startsWith(folder)) return true;
  return false;
}

/** Skills and configuration of test runners: no run flags them, since in one run they decide nothing. */
function decidesLater(path: string, paths: ReadonlySet<string>): boolean {
  if (runnerPatterns.some(p => p.test(path))) return true;
  const folders = path.split('/').slice(0, -1);
  const inSkill = folders.some((_, i) =>
    paths.has(`${folders.slice(0, i + 1).join('/')}/SKILL.md`),
  );
  return inSkill || /(^|\/)SKILL\.md$/i.test(path);
}
