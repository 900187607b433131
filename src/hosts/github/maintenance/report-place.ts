/** Where the failure of a run that has no conversation is reported. Pure. */
import type { Settings } from '../../../settings/settings.ts';
import { decideDeliveryMode } from '../../delivery-mode.ts';
import type { RunInput } from '../../host.ts';

/** Number of an issue, the dashboard, or the summary of the job alone. */
export type ReportPlace = number | 'dashboard' | 'none';

/** What the choice depends on. */
export interface ReportedRun {
  readonly settings: Pick<Settings, 'reportTo' | 'dashboard' | 'dryRun' | 'staged' | 'delivery'>;
  readonly input: Pick<RunInput, 'delivery'> & { readonly event: { readonly name: string } };
  readonly isMaintenance: boolean;
}

/** What the settings say, or else the dashboard for what is scheduled. A run that may leave nothing has its summary alone. */
export function choosePlace({ settings, input, isMaintenance }: ReportedRun): ReportPlace {
  const { reportTo, dashboard } = settings;
  if (!decideDeliveryMode(settings, input.delivery).keepsDashboard) return 'none';
  if (reportTo !== undefined) return reportTo;
  return dashboard && (isMaintenance || input.event.name === 'schedule') ? 'dashboard' : 'none';
}

/** Mark of the one comment on a task. */
export const failureMark = (name: string) => `<!-- photon:failure=${name} -->`;
