/** Defines the statuses of a workflow task. */

/** Every status; state file and manifest use the same names. */
export const taskStatuses = [
  'PENDING',
  'RUNNING',
  'COMPLETED',
  'FAILED',
  'SKIPPED',
  'NEEDS_REVIEW',
] as const;

export type TaskStatus = (typeof taskStatuses)[number];
