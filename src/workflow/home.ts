/** Where a workflow lives: its branch, its saved state, and how both go on together. */

import type { FileChange } from '../workspace/files/change.ts';
import type { BranchTree, Tip } from '../workspace/git/branch-tree.ts';
import type { WorkflowState } from './state.ts';

/** A commit of a workflow, and the state that names it. */
export interface WorkflowCommit {
  readonly message: string;
  /** Task whose patch it holds; an empty string for the manifest alone. */
  readonly task: string;
  readonly changes: readonly FileChange[];
  /** Called once with the commit's id. */
  readonly state: (commit: string) => WorkflowState;
}

export interface WorkflowHome {
  /** The branch in the local repository; tasks work on it. */
  readonly branch: BranchTree;
  /** State as it was saved last; a fresh one when there was none. */
  readonly found: WorkflowState;
  /** Keeps a state. Calls take effect in their order. Throws PhotonError `DISK`, `WORKFLOW_BUSY`, `GITHUB_*`. */
  readonly save: (state: WorkflowState) => Promise<void>;
  /** Adds a commit to the branch and keeps the state with it. Throws as `save`, and `GIT`. */
  readonly commit: (commit: WorkflowCommit) => Promise<void>;
  /**
   * Commits of the branch since one that the state names, newest first: they may be ahead of the state.
   */
  readonly since: (commit: string) => Promise<readonly Tip[]>;
  /** Id that the state has for a commit of the local branch. */
  readonly idOf: (commit: string) => string;
  /** True when `constitution.md` of the user's own checkout may not be written. */
  readonly readOnly: () => boolean;
}
