/** What becomes of a verified patch, and what a run may leave on GitHub. Pure. */
import type { Settings } from '../settings/settings.ts';

/** Where a verified patch goes, as the entry point says. */
export type DeliveryWay = 'github' | 'patch' | 'apply';

/** Decided once for each run, before anything is asked of a model. */
export interface DeliveryMode {
  /**
   * `publish`: the patch goes to GitHub. `stage`: the pull request is shown and not opened.
   * `report`: a dry run, nothing is written. `patch`: a patch file. `apply`: the work tree.
   */
  readonly target: 'publish' | 'stage' | 'report' | 'patch' | 'apply';
  /** False for a run that must leave nothing on GitHub, records included. */
  readonly keepsRecords: boolean;
  /** True when progress is shown where the task was requested. */
  readonly showsProgress: boolean;
  /** True when the dashboard issue is updated. */
  readonly keepsDashboard: boolean;
}

/** Decides it from the settings and from where the run was started. */
export function decideDeliveryMode(
  settings: Pick<Settings, 'dryRun' | 'staged' | 'delivery'>,
  delivery: DeliveryWay,
): DeliveryMode {
  const target = chooseTarget(settings, delivery);
  const isLocal = delivery !== 'github';
  const leavesNothing = target === 'stage' || target === 'report';
  return {
    target,
    keepsRecords: target === 'publish' || (isLocal && !leavesNothing),
    showsProgress: !isLocal,
    keepsDashboard: !isLocal && !leavesNothing,
  };
}

function chooseTarget(
  { dryRun, staged, delivery }: Pick<Settings, 'dryRun' | 'staged' | 'delivery'>,
  way: DeliveryWay,
): DeliveryMode['target'] {
  if (staged) return 'stage';
  if (dryRun) return 'report';
  if (way === 'github') return delivery === 'patch' ? 'patch' : 'publish';
  return way;
}
