/** How far a task of a workflow is. */

/** Every status; the state file and the manifest say the same words. */
export const taskStatuses = [
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'SKIPPED',
  'NEEDS_REVIEW',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];
