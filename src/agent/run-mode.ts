/** Runs that end with their plan, and runs that carry out an approved one: tools, words and ending. Pure. */
import { codes } from '../codes.ts';
import type { StartOfEvidence } from '../guard/evidence.ts';
import type { Ending } from '../outcome.ts';
import type { Task } from '../task.ts';
import type { Tool } from '../tools/tool.ts';

const changing: ReadonlySet<string> = new Set(['run_command', 'syntax_check', 'patch', 'undo']);

/** A run that ends with its plan has no tool that changes, runs or verifies anything. */
export function toolsOf(task: Task, tools: readonly Tool[]): readonly Tool[] {
  if (task.until === undefined) return tools;
  return tools.filter(t => t.step !== 'patch' && t.step !== 'verify' && !changing.has(t.name));
}

/** What the model is told of such a run; empty for an ordinary one. */
export function modeText({ until, approved }: Task): string {
  if (approved !== undefined) {
    const { entrySymbols, affectedFiles, scope, maxChangedLines } = approved.plan;
    return [
      'A person approved this plan; it is recorded already. Carry out exactly this. A plan or patch beyond it is refused; abstain when it cannot be done this way.',
      JSON.stringify({
        ...{ entry_symbols: entrySymbols, affected_files: affectedFiles },
        ...{ scope, max_changed_lines: maxChangedLines },
      }),
    ].join('\n');
  }
  if (until === undefined) return '';
  return 'This run ends with the plan. Plan, look and read, and amend the plan until it names every file that must change, why, and how many lines at most; then call finish. Nothing can be changed or run.';
}

/** The bounds that an approved plan sets, as the guard is told of them. */
export function approvedScope({ approved }: Task): Pick<StartOfEvidence, 'approved'> {
  if (approved === undefined) return {};
  const { affectedFiles, maxChangedLines } = approved.plan;
  return { approved: { affectedFiles, maxChangedLines } };
}

/** A run that ends with its plan: posted, or waiting for a yes. Other endings stay what they are. */
export function planEnding({ until }: Task, ending: Ending): Ending {
  if (until === undefined || ending.status !== 'no_change') return ending;
  const [status, code] =
    until === 'plan'
      ? (['no_change', 'PLAN_POSTED'] as const)
      : (['needs_clarification', 'APPROVAL_NEEDED'] as const);
  return { ...ending, status, code, message: codes[code].meaning };
}
