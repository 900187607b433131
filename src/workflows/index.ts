/** What the rest of Photon knows of workflows: their files, their state, and how they run in a local checkout. */

export type { WorkflowOptions } from './execution.ts';
export {
  applyCommits,
  inLocalHome,
  listWorkflows,
  readWorkflow,
  readWorkflowState,
} from './local.ts';
export { manifestFile } from './manifest.ts';
export { approveInWorkflow, runWorkflow, workflowStatus } from './run-workflow.ts';
export { findWaits, startState, type WorkflowState } from './state.ts';
export { type Workflow, workflowFolder } from './workflow-file.ts';
