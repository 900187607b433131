/** What the Action knows of workflows and fleets: each as one call. */
export { gatherFleet } from '../fleet/gather.ts';
export { planFleet } from '../fleet/plan.ts';
export { collectFleet, type FleetReport, listRepositories } from '../fleet/report.ts';
export { runWorkflowOnGitHub } from './on-github.ts';
