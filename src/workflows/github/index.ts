/** What the Action knows of workflows and fleets: each as one call. */
export { planFleet } from '../fleet/plan.ts';
export { collectFleet, type FleetReport, gatherFleet, listRepositories } from '../fleet/report.ts';
export { runWorkflowOnGitHub } from './on-github.ts';
