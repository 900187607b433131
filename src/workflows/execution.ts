/** What the tasks of a running workflow share: its options, its state, and the home where branch and state change together. */
import { oneAtATime } from '../base/once.ts';
import type { RunInput } from '../hosts/host.ts';
import type { FinishedRun } from '../run/stages.ts';
import type { BranchTree, Tip } from '../workspace/commits/branch-tree.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { WorkflowState } from './state.ts';
import type { Workflow, WorkflowTask } from './workflow-file.ts';

export interface WorkflowOptions {
  readonly workflow: Workflow;
  /** As for one run; `workspace` is the checkout. */
  readonly input: Omit<RunInput, 'delivery' | 'patchReceiver'>;
  /** The task to start at; empty to continue from the saved state. */
  readonly from: string;
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

export async function change(
  execution: WorkflowExecution,
  how: (state: WorkflowState) => WorkflowState,
): Promise<void> {
  execution.state = how(execution.state);
  await execution.home.save(execution.state);
}

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

/** A commit of a workflow, and the state that refers to it. */
interface WorkflowCommit {
  readonly message: string;
  /** Task whose patch it contains; empty for a commit of the manifest only. */
  readonly task: string;
  readonly changes: readonly FileChange[];
  /** Called once with the commit's id. */
  readonly state: (commit: string) => WorkflowState;
}

export interface WorkflowHome {
  /** The branch in the local repository; tasks work on it. */
  readonly branch: BranchTree;
  /** The last saved state; a new one when there was none. */
  readonly found: WorkflowState;
  /** Saves a state; calls take effect in order. Throws PhotonError `DISK`, `WORKFLOW_BUSY`, `GITHUB_*`. */
  readonly save: (state: WorkflowState) => Promise<void>;
  /** Adds a commit to the branch and saves the state with it. Throws as `save`, and `GIT`. */
  readonly commit: (commit: WorkflowCommit) => Promise<void>;
  /** Commits since one that the state refers to, newest first; a local branch may be ahead of the state. */
  readonly since: (commit: string) => Promise<readonly Tip[]>;
  /** The id that the state uses for a commit of the local branch. */
  readonly idOf: (commit: string) => string;
  /** True when `constitution.md` is read-only in the user's checkout. */
  readonly readOnly: () => boolean;
}
