/** A push or pull request made with GITHUB_TOKEN starts no workflow; the one that may be started by hand. */
import { type GitHub, noRetry, splitRepository } from '../api/github.ts';
import { messageOf } from '../api/github-errors.ts';

export interface WorkflowStart {
  readonly repository: string;
  /** File name of the workflow; empty when none is to be started. */
  readonly workflow: string;
  readonly branch: string;
  /** True when people must look first: code that nobody saw is then not run with the workflow's rights. */
  readonly held: boolean;
}

/** Starts the workflow on the branch. @returns a note when it was not started. */
export async function startWorkflow(
  github: GitHub,
  { repository, workflow, branch, held }: WorkflowStart,
): Promise<readonly string[]> {
  if (workflow === '') return [];
  if (held)
    return [
      `${workflow} was not started: the pull request is a draft for people to look at first.`,
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
    return [`The workflow ${workflow} could not be started: ${messageOf(error)}`];
  }
}
