/** Runs that end with their plan, and runs that carry out an approved one: tools, bounds and ending. Pure. */
import { codes } from '../../codes.ts';
import type { StartOfEvidence } from '../../guard/evidence.ts';
import type { Ending } from '../../outcome.ts';
import type { Task } from '../../task.ts';
import type { Tool } from '../../tools/tool.ts';

const changing: ReadonlySet<string> = new Set(['run_command', 'syntax_check', 'patch', 'undo']);

/** A run that ends with its plan has no tool that changes, runs or verifies anything. */
export function toolsOfMode(task: Task, tools: readonly Tool[]): readonly Tool[] {
  if (task.until === undefined) return tools;
  return tools.filter(t => t.step !== 'patch' && t.step !== 'verify' && !changing.has(t.name));
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

/** The ending of a run that stops at its plan: posted, or waiting for approval. Other endings stay. */
export function planEnding({ until }: Task, ending: Ending): Ending {
  if (until === undefined || !(ending.status === 'no_change' || ending.status === 'answered'))
    return ending;
  const [status, code] =
    until === 'plan'
      ? (['no_change', 'PLAN_POSTED'] as const)
      : (['needs_clarification', 'APPROVAL_NEEDED'] as const);
  return { ...ending, status, code, message: codes[code].meaning };
}
