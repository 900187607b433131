/** One workflow at work: what its tasks share. */
import type { RunInput } from '../agent/run/run-input.ts';
import type { FinishedRun } from '../agent/run/stages.ts';
import { oneAtATime } from '../process/one-at-a-time.ts';
import type { WorkflowHome } from './home.ts';
import type { WorkflowState } from './state.ts';
import type { Workflow, WorkflowTask } from './workflow-file.ts';

/** What a workflow runs in. */
export interface WorkflowOptions {
  readonly workflow: Workflow;
  /** As for one run; `workspace` is the checkout. */
  readonly input: Omit<RunInput, 'delivery' | 'taker'>;
  /** Task to start at; an empty string where the state says. */
  readonly from: string;
  /** Told how each run ended. */
  readonly ran: (task: WorkflowTask, result: FinishedRun) => void;
  /** Told the state behind each commit, before the next one; it may not throw. */
  readonly committed?: (state: WorkflowState) => Promise<void>;
}

export interface WorkflowExecution extends WorkflowOptions {
  readonly home: WorkflowHome;
  /** As it stands now; saved before anything relies on it. */
  state: WorkflowState;
  /** Waits until no other patch is being put onto the branch; what it gives ends the turn. */
  readonly turn: () => Promise<() => void>;
  /** Work trees that nobody uses, by number. */
  readonly slots: number[];
  readonly warn: (text: string) => void;
}

/** Opens the room of a workflow. */
export function openExecution(home: WorkflowHome, options: WorkflowOptions): WorkflowExecution {
  const { workflow, input } = options;
  return {
    ...options,
    home,
    state: home.found,
    turn: openTurns(),
    slots: Array.from({ length: workflow.parallel }, (_, i) => i),
    warn: once(text => input.log.line(`warning: ${text}`)),
  };
}

/** Changes the state and keeps it. */
export async function change(
  execution: WorkflowExecution,
  how: (state: WorkflowState) => WorkflowState,
): Promise<void> {
  execution.state = how(execution.state);
  await execution.home.save(execution.state);
}

/** The same words are said once. */
function once(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return text => {
    if (!said.has(text)) say(text);
    said.add(text);
  };
}

/** Whoever is given a turn ends it by calling what it is given. */
function openTurns(): WorkflowExecution['turn'] {
  const alone = oneAtATime();
  return () => new Promise(begin => void alone(() => new Promise<void>(begin)));
}
