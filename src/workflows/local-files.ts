/** Finds and reads the workflow files of a work tree. */
import { PhotonError } from '../codes.ts';
import { listOwnFolder, readOwnFile } from '../workspace/files/replace-file.ts';
import { parseWorkflow, type Workflow, workflowFolder, workflowName } from './workflow-file.ts';

/** Names of the workflows in a work tree. */
export function listWorkflows(repo: string): readonly string[] {
  return listOwnFolder(repo, workflowFolder).flatMap(file => {
    const name = /^(.*)\.yml$/.exec(file)?.[1] ?? '';
    return workflowName.test(name) ? [name] : [];
  });
}

/** Reads a workflow of a work tree. Throws PhotonError `WORKFLOW_MISSING`, `WORKFLOW_INVALID`. */
export function readWorkflow(repo: string, name: string): Workflow {
  const file = `${workflowFolder}/${name}.yml`;
  const bytes = workflowName.test(name) ? readOwnFile(repo, file) : null;
  if (bytes === null) {
    const available = listWorkflows(repo).join(', ') || 'none';
    throw new PhotonError(
      'WORKFLOW_MISSING',
      `There is no workflow ${JSON.stringify(name)} in ${workflowFolder}. Available: ${available}.`,
    );
  }
  return parseWorkflow(bytes.toString('utf8'), { name, file });
}
