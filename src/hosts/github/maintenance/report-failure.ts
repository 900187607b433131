/** Failures of runs that nobody asked for in a conversation: one comment for each task, which its next failure updates. */
import { isFailure } from '../../../base/dashboard-state.ts';
import { isSuccess, type Outcome } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Reported, RunInput } from '../../host.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { postComment, updateComment } from '../conversation/comment.ts';
import {
  choosePlace,
  type DashboardText,
  failureMark,
  findDashboard,
  type ReportedRun,
  type ReportPlace,
  writeDashboard,
} from './dashboard.ts';

/** Mark of a comment that states a failure, and not yet that the task works again. */
const failingMark = '<!-- photon:failing -->';

/** In place of a task, for a process that failed before its tasks were known. */
const start = 'start';

/** What is reported, and its texts. */
interface FailureReport {
  /** Absent for a process that failed before its tasks were known. */
  readonly task: Pick<Task, 'id' | 'maintenance'> | undefined;
  readonly outcome: Outcome;
  readonly comment: (outcome: Outcome, askMarker: string) => string;
  readonly dashboard: DashboardText;
}

interface Reporting extends Pick<GitHubEnvironment, 'reporter' | 'log'> {
  readonly settings: ReportedRun['settings'] & Pick<Settings, 'maintenance'>;
  readonly input: ReportedRun['input'] & Pick<RunInput, 'now'>;
}

/**
 * Reports a failure, or says under the report of an earlier one that the task works again.
 * @returns where, or a note if a failure could not be reported: the outcome stands.
 */
export async function reportFailure(
  environment: Reporting,
  report: FailureReport,
): Promise<Reported> {
  const { settings, log, input } = environment;
  const { outcome, task } = report;
  const isMaintenance = task?.maintenance !== undefined;
  const place = choosePlace({ settings, input, isMaintenance });
  // the dashboard comments on its own tasks
  if (place === 'dashboard' && isMaintenance) return {};
  const failed = isFailure(outcome);
  const works = isSuccess(outcome.status) && outcome.constitution.sha256 !== '';
  if (place === 'none' || !(failed || works)) return {};
  try {
    const github = await environment.reporter();
    const number = await findPlace(github, { ...report, settings, place, failed });
    if (number === undefined) return {};
    const about = { conversation: { kind: 'issue', number } } as const;
    const mark = failureMark(task?.id ?? start);
    if (failed) {
      const body = `${report.comment(outcome, '').trimEnd()}\n${failingMark}`;
      const { url } = await postComment(github, { ...about, body, marker: mark });
      return { url };
    }

    const at = new Date(input.now()).toISOString();
    for (const name of new Set([task?.id ?? start, start])) {
      const body = report.dashboard.renderSolved({ name, outcome }, undefined, at);
      await updateComment(github, { ...about, body, marker: failureMark(name) }, failingMark);
    }
    return {};
  } catch (error) {
    const why = formatMessage(error);
    const where = place === 'dashboard' ? 'on the dashboard' : `in #${place}`;
    if (failed) return { note: `The failure could not be reported ${where}: ${why}` };
    log(`GitHub: the report of an earlier failure ${where} could not be updated: ${why}`);
    return {};
  }
}

interface PlaceRequest extends Pick<FailureReport, 'dashboard'> {
  readonly settings: Pick<Settings, 'maintenance'>;
  readonly place: Exclude<ReportPlace, 'none'>;
  readonly failed: boolean;
}

/** Number of the issue; only a failure makes a dashboard. */
async function findPlace(
  github: GitHub,
  { settings, dashboard, place, failed }: PlaceRequest,
): Promise<number | undefined> {
  if (place !== 'dashboard') return place;
  const found = await findDashboard(github);
  if (found !== undefined || !failed) return found?.number;
  const { title, render } = dashboard;
  const body = render(settings.maintenance, {}, undefined);
  return writeDashboard(github, { found, title, body });
}
