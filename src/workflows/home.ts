/** Defines where a workflow is kept: its branch and its saved state, which change together. */

import type { FileChange } from '../workspace/files/change.ts';
import type { BranchTree, Tip } from '../workspace/git/branch-tree.ts';
import type { WorkflowState } from './state.ts';

/** A commit of a workflow, and the state that refers to it. */
export interface WorkflowCommit {
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
  /**
   * Commits since one that the state refers to, newest first; the branch may be ahead of the state.
   */
  readonly since: (commit: string) => Promise<readonly Tip[]>;
  /** The id that the state uses for a commit of the local branch. */
  readonly idOf: (commit: string) => string;
  /** True when `constitution.md` is read-only in the user's checkout. */
  readonly readOnly: () => boolean;
}
