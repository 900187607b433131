/** Keeps a workflow in a local repository: a branch, and a state file next to the workflow file. */

import { PhotonError } from '../codes.ts';
import type { RunInput } from '../hosts/host.ts';
import { isReadOnlyFile } from '../workspace/files/replace-file.ts';
import { branchTreePlace, hasRef, openBranchTree } from '../workspace/git/branch-tree.ts';
import { openWorkflowStore } from '../workspace/stores/workflow-store.ts';
import type { WorkflowHome } from './home.ts';
import { manifestFile } from './keep-manifest.ts';
import { parseState, reconcile, renderState, startState, type WorkflowState } from './state.ts';
import type { Workflow } from './workflow-file.ts';

export interface LocalWorkflow {
  readonly workflow: Workflow;
  readonly input: Pick<RunInput, 'workspace' | 'tempRoot' | 'programs' | 'log' | 'now'>;
}

/** The saved state, reconciled with the current workflow file. Throws PhotonError `WORKFLOW_STATE_INVALID`. */
export function readWorkflowState(checkout: string, workflow: Workflow): WorkflowState | null {
  const store = openWorkflowStore(checkout, workflow.name);
  const text = store.read();
  return text === null ? null : reconcile(parseState(text, store.path), workflow);
}

/**
 * Runs `work` with the home of a workflow, under a lock; closes it however the work ends.
 * @throws PhotonError `WORKFLOW_BUSY`, `WORKFLOW_BRANCH`, `WORKFLOW_STATE_INVALID`, `DISK`, `GIT`.
 */
export async function inLocalHome<T>(
  { workflow, input }: LocalWorkflow,
  work: (home: WorkflowHome) => Promise<T>,
): Promise<T> {
  const store = openWorkflowStore(input.workspace, workflow.name);
  const free = store.lock();
  try {
    const place = { cwd: input.workspace, programs: input.programs };
    const saved = readWorkflowState(input.workspace, workflow);
    const fresh = startState(workflow);
    const ref = `refs/heads/${fresh.branch}`;
    const there = await hasRef(place, ref);
    if (there && saved === null)
      throw new PhotonError(
        'WORKFLOW_BRANCH',
        `The branch ${fresh.branch} exists, but ${store.path} has no state for it.`,
      );
    if (!there && saved?.tasks.some(t => t.attempts > 0))
      input.log.line(
        `warning: ${fresh.branch} no longer exists; the workflow starts again from the beginning`,
      );
    const found = there && saved !== null ? saved : fresh;
    const save = async (state: WorkflowState) => store.save(renderState(state));
    // saved before the branch is created, so that an interruption leaves no unknown branch
    await save(found);
    const folder = branchTreePlace(input.tempRoot, workflow.name);
    const branch = await openBranchTree(place, { ref, folder });
    try {
      return await work({
        branch,
        found,
        save,
        since: branch.since,
        idOf: commit => commit,
        commit: async ({ message, changes, state }) =>
          save(state(await branch.commit(message, changes, input.now()))),
        readOnly: () => isReadOnlyFile(input.workspace, manifestFile),
      });
    } finally {
      await branch.close();
    }
  } finally {
    free();
  }
}
