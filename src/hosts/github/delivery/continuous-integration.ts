/** Starts a workflow by hand, because GitHub starts none for pushes and pull requests made with GITHUB_TOKEN. */
import { type GitHub, noRetry, splitRepository } from '../api/github.ts';
import { messageOf } from '../api/github-errors.ts';

export interface WorkflowToStart {
  readonly repository: string;
  /** File name of the workflow; empty to start none. */
  readonly workflow: string;
  readonly branch: string;
  /** True when people must review the code first: unreviewed code does not run with the workflow's rights. */
  readonly held: boolean;
}

/** Starts the workflow on the branch. @returns a note when it was not started. */
export async function startWorkflow(
  github: GitHub,
  { repository, workflow, branch, held }: WorkflowToStart,
): Promise<readonly string[]> {
  if (workflow === '') return [];
  if (held)
    return [
      `Photon did not start ${workflow}, because the pull request is a draft that people must review first.`,
    ];
  try {
    await github.rest.actions.createWorkflowDispatch({
      ...splitRepository(repository),
      workflow_id: workflow,
      ref: branch,
      ...noRetry,
    });
    return [];
  } catch (error) {
    return [`Photon could not start the workflow ${workflow}: ${messageOf(error)}`];
  }
}
