/** The dashboard issue on GitHub, found by label and mark, created once, and updated in place; and where failures are reported that nobody asked for in a conversation. */
import {
  type DashboardState,
  dashboardLabel,
  dashboardMarker,
  type EndOfRun,
  parseDashboardState,
  withRuns,
} from '../../../base/dashboard-state.ts';
import { isFailure, isSuccess, type Outcome } from '../../../base/outcome.ts';
import type { Task } from '../../../base/task.ts';
import type { MaintenanceTask } from '../../../settings/maintenance.ts';
import type { Settings } from '../../../settings/settings.ts';
import { decideDeliveryMode } from '../../delivery-mode.ts';
import type { Reported, RunInput } from '../../host.ts';
import { type GitHub, noRetry } from '../api/github.ts';
import { formatMessage, getStatus } from '../api/github-errors.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import { postComment, updateComment } from '../conversation/comment.ts';

/** The issue as it is on GitHub. */
interface Dashboard {
  readonly number: number;
  readonly body: string;
  readonly state: DashboardState;
}

/**
 * The open dashboard of a repository; the oldest of several, or undefined.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findDashboard(github: GitHub): Promise<Dashboard | undefined> {
  const { data } = await github.rest.issues.listForRepo({
    ...github.where,
    state: 'open',
    labels: dashboardLabel,
    sort: 'created',
    direction: 'asc',
    per_page: 20,
  });
  const found = data.find(issue => issue.body?.includes(dashboardMarker));
  if (found === undefined) return undefined;
  const body = found.body ?? '';
  return { number: found.number, body, state: parseDashboardState(body) };
}

/**
 * Updates the dashboard that was found, or creates one. @returns its number.
 * @throws PhotonError `GITHUB_*`.
 */
async function writeDashboard(
  github: GitHub,
  text: { readonly found: Dashboard | undefined; readonly title: string; readonly body: string },
): Promise<number> {
  const { found, title, body } = text;
  if (found?.body === body) return found.number;
  const key = `${github.repository} ${dashboardMarker}`;
  const known = found?.number ?? github.posted.get(key);
  if (known !== undefined) {
    await github.rest.issues.update({ ...github.where, issue_number: known, body });
    return known;
  }
  const made = await github.createOnce(
    async () => {
      const labels = [dashboardLabel];
      const issue = { ...github.where, title, body, labels, ...noRetry };
      return (await github.rest.issues.create(issue)).data.number;
    },
    async () => (await findDashboard(github))?.number,
  );
  github.posted.set(key, made);
  return made;
}

/** A run, of a maintenance task or not, and how it ended. */
interface MaintenanceRun {
  readonly outcome: EndOfRun & { readonly task: { readonly maintenance?: string | undefined } };
}

/** The text of the issue. */
export interface DashboardText {
  readonly title: string;
  readonly render: (tasks: readonly MaintenanceTask[], state: DashboardState) => string;
  /** Above the comment on the failure of a maintenance task. */
  readonly renderTitle: (name: string) => string;
  /** In place of the comment on a failure when the task works again. `at` is ISO 8601. */
  readonly renderSolved: (
    name: string,
    end: Pick<Outcome, 'status' | 'code'>,
    at: string,
  ) => string;
}

/** Updates the dashboard. A failure to do so is logged and fails no run. */
export async function keepDashboard(
  environment: Pick<GitHubEnvironment, 'settings' | 'input' | 'github' | 'reporter' | 'log'>,
  results: readonly MaintenanceRun[],
  { title, render }: DashboardText,
): Promise<void> {
  const { settings, input, log } = environment;
  const runs = results.flatMap(({ outcome }) => {
    const name = outcome.task.maintenance;
    return name === undefined ? [] : [{ name, outcome }];
  });
  if (!settings.dashboard || runs.length === 0) return;
  if (!decideDeliveryMode(settings, input.delivery).keepsDashboard) return;
  try {
    const github = input.signal.aborted ? await environment.reporter() : environment.github;
    const found = await findDashboard(github);
    const state = withRuns(found?.state ?? {}, runs, new Date(input.now()).toISOString());
    const body = render(settings.maintenance, state);
    await writeDashboard(github, { found, title, body });
  } catch (error) {
    log(`The dashboard could not be updated: ${formatMessage(error)}`);
  }
}

/** Number of an issue, the dashboard, or the summary of the job alone. */
export type ReportPlace = number | 'dashboard' | 'none';

/** What the choice depends on. */
interface ReportedRun {
  readonly settings: Pick<Settings, 'reportTo' | 'dashboard' | 'dryRun' | 'staged' | 'delivery'>;
  readonly input: Pick<RunInput, 'delivery'> & {
    readonly event: Pick<RunInput['event'], 'name' | 'payload'>;
  };
  readonly isMaintenance: boolean;
}

/** Events that start a run on purpose, and have no conversation to answer in. */
const withoutConversation: readonly string[] = [
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
];

/**
 * What the settings say, or else the issue that a dispatch names, or else the dashboard for what is scheduled or
 * dispatched. A run that may leave nothing has its summary alone.
 */
export function choosePlace({ settings, input, isMaintenance }: ReportedRun): ReportPlace {
  const { reportTo, dashboard } = settings;
  const { name, payload } = input.event;
  if (!decideDeliveryMode(settings, input.delivery).keepsDashboard) return 'none';
  if (reportTo !== undefined) return reportTo;
  const named = name.endsWith('_dispatch') ? findNumber(payload) : undefined;
  if (named !== undefined) return named;
  return dashboard && (isMaintenance || withoutConversation.includes(name)) ? 'dashboard' : 'none';
}

const issueInput = /^(?:issue|pull|pull[-_]request|pr)(?:[-_]number)?$/i;

/** Number of the issue or pull request that the inputs of a dispatch name; undefined without one. */
function findNumber(payload: unknown): number | undefined {
  const { inputs, client_payload } = (payload ?? {}) as Record<string, unknown>;
  const fields = Object.entries({ ...Object(inputs), ...Object(client_payload) });
  const [, value] = fields.find(([name]) => issueInput.test(name)) ?? [];
  const number = Number(String(value).replace(/^#/, ''));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** Mark of the one comment on a task. */
const failureMark = (name: string) => `<!-- photon:failure=${name} -->`;

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
  const place = choosePlace({ settings, input, isMaintenance: task?.maintenance !== undefined });
  const failed = isFailure(outcome.status);
  const works = isSuccess(outcome.status) && outcome.constitution.sha256 !== '';
  if (place === 'none' || !(failed || works)) return {};
  try {
    const github = await environment.reporter();
    const number = await findPlace(github, { ...report, settings, place, failed });
    if (number === undefined) return {};
    const about = { conversation: { kind: 'issue', number } } as const;
    const maintained = task?.maintenance;
    const own = maintained ?? task?.id ?? start;
    if (failed) {
      const title = maintained === undefined ? '' : report.dashboard.renderTitle(maintained);
      const body = `${title}${report.comment(outcome, '').trimEnd()}\n${failingMark}`;
      const { url } = await postComment(github, { ...about, body, marker: failureMark(own) });
      return { url };
    }

    const at = new Date(input.now()).toISOString();
    for (const name of new Set([own, start])) {
      const body = report.dashboard.renderSolved(name, outcome, at);
      await updateComment(github, { ...about, body, marker: failureMark(name) }, failingMark);
    }
    return {};
  } catch (error) {
    const why = formatMessage(error);
    const where = place === 'dashboard' ? 'on the dashboard' : `in #${place}`;
    if (failed) return { note: `The failure could not be reported ${where}: ${why}` };
    // a workflow that never reported need not have the permission to look, nor the repository issues
    const isClosed = [403, 404, 410].includes(getStatus(error) ?? 0);
    if (settings.reportTo === undefined && isClosed) return {};
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
  const body = render(settings.maintenance, {});
  return writeDashboard(github, { found, title, body });
}
