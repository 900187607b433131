/** Holds what the tasks of a running workflow share. */

import type { RunInput } from '../hosts/host.ts';
import { oneAtATime } from '../process/one-at-a-time.ts';
import type { FinishedRun } from '../run/stages.ts';
import type { WorkflowHome } from './home.ts';
import type { WorkflowState } from './state.ts';
import type { Workflow, WorkflowTask } from './workflow-file.ts';

/** The parameters of a workflow run. */
export interface WorkflowOptions {
  readonly workflow: Workflow;
  /** As for one run; `workspace` is the checkout. */
  readonly input: Omit<RunInput, 'delivery' | 'taker'>;
  /** The task to start at; empty to continue from the saved state. */
  readonly from: string;
  /** Called with the result of each run. */
  readonly ran: (task: WorkflowTask, result: FinishedRun) => void;
  /** Called with the state after each commit, before the next one; must not throw. */
  readonly committed?: (state: WorkflowState) => Promise<void>;
}

export interface WorkflowExecution extends WorkflowOptions {
  readonly home: WorkflowHome;
  /** The current state; saved before anything relies on it. */
  state: WorkflowState;
  /** Waits until no other task changes the branch; returns a function that ends the turn. */
  readonly turn: () => Promise<() => void>;
  /** Numbers of the free work trees. */
  readonly slots: number[];
  readonly warn: (text: string) => void;
}

/** Opens the execution of a workflow. */
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

/** Changes the state and saves it. */
export async function change(
  execution: WorkflowExecution,
  how: (state: WorkflowState) => WorkflowState,
): Promise<void> {
  execution.state = how(execution.state);
  await execution.home.save(execution.state);
}

/** Drops messages that were already reported. */
function once(report: (text: string) => void): (text: string) => void {
  const reported = new Set<string>();
  return text => {
    if (!reported.has(text)) report(text);
    reported.add(text);
  };
}

/** Gives out turns one at a time; the holder of a turn calls the returned function to end it. */
function openTurns(): WorkflowExecution['turn'] {
  const alone = oneAtATime();
  return () => new Promise(begin => void alone(() => new Promise<void>(begin)));
}
