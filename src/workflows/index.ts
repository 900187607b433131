/** What the rest of Photon knows of workflows: their files, their state, and how they run in a local checkout. */
export { applyCommits } from './apply-commits.ts';
export type { WorkflowOptions } from './execution.ts';
export { inLocalHome, listWorkflows, readWorkflow, readWorkflowState } from './local.ts';
export { manifestFile, readManifest } from './manifest.ts';
export type { ManifestTask } from './manifest-table.ts';
export { approveInWorkflow, runWorkflow, workflowStatus } from './run-workflow.ts';
export { buildManifest, startState, type WorkflowState } from './state.ts';
export { findWaits } from './waits.ts';
export { type Workflow, workflowFolder } from './workflow-file.ts';
