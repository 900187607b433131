/** Runs that end with their plan, and runs that carry out an approved one: tools, bounds and ending. Pure. */
import { codes } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { StartOfEvidence } from '../../guard/evidence.ts';
import type { Tool } from '../../tools/tool.ts';

const changing: ReadonlySet<string> = new Set(['run_command', 'syntax_check', 'patch', 'undo']);

/** Tools that write into the long-term records. */
const recording: ReadonlySet<string> = new Set(['record_add', 'record_update', 'record_issue']);

/** A run that ends with its plan, an answer or a review has no tool that changes, runs or verifies anything. */
export function toolsOfMode(task: Task, tools: readonly Tool[]): readonly Tool[] {
  if (task.until === undefined) return tools;
  const looks = tools.filter(
    t => t.step !== 'patch' && t.step !== 'verify' && !changing.has(t.name),
  );
  const records = task.until !== 'answer' && task.until !== 'review';
  return records ? looks : looks.filter(t => !recording.has(t.name));
}

/** The limits that a task and an approved plan set, for the guard. */
export function boundsOfTask({
  approved,
  paths,
}: Task): Pick<StartOfEvidence, 'approved' | 'within'> {
  const within = paths === undefined ? {} : { within: paths };
  if (approved === undefined) return within;
  const { affectedFiles, maxChangedLines } = approved.plan;
  return { ...within, approved: { affectedFiles, maxChangedLines } };
}

/**
 * The ending of a run that changes nothing: its plan is posted or waits for approval, or it has its answer.
 * Other endings stay.
 */
export function endingOfMode({ until }: Task, ending: Ending): Ending {
  if (until === undefined || !(ending.status === 'no_change' || ending.status === 'answered'))
    return ending;
  if (until === 'review') return ending;
  if (until === 'answer') {
    if (ending.status === 'answered') return ending;
    return {
      ...ending,
      status: 'abstained',
      code: 'ANSWER_MISSING',
      message: codes.ANSWER_MISSING.meaning,
    };
  }
  const [status, code] =
    until === 'plan'
      ? (['no_change', 'PLAN_POSTED'] as const)
      : (['needs_clarification', 'APPROVAL_NEEDED'] as const);
  return { ...ending, status, code, message: codes[code].meaning };
}
