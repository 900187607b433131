/** The dashboard issue on GitHub: finds it by label and mark, creates it once, and updates it in place. */
import {
  type DashboardState,
  dashboardLabel,
  dashboardMarker,
  parseDashboardState,
} from '../../../base/dashboard-state.ts';
import { type GitHub, noRetry, splitRepository } from '../api/github.ts';
import { withCodes } from '../api/github-errors.ts';

/** The issue as it is on GitHub. */
export interface Dashboard {
  readonly number: number;
  readonly body: string;
  readonly state: DashboardState;
}

/**
 * The open dashboard of a repository; the oldest of several, null when there is none.
 * @throws PhotonError `GITHUB_*`.
 */
export async function findDashboard(github: GitHub, repository: string): Promise<Dashboard | null> {
  const { data } = await withCodes(github, () =>
    github.rest.issues.listForRepo({
      ...splitRepository(repository),
      state: 'open',
      labels: dashboardLabel,
      sort: 'created',
      direction: 'asc',
      per_page: 20,
    }),
  );
  const found = data.find(issue => issue.body?.includes(dashboardMarker));
  if (found === undefined) return null;
  const body = found.body ?? '';
  return { number: found.number, body, state: parseDashboardState(body) };
}

/**
 * Updates the dashboard that was found, or creates one. @returns its number.
 * @throws PhotonError `GITHUB_*`.
 */
export async function writeDashboard(
  github: GitHub,
  repository: string,
  text: { readonly found: Dashboard | null; readonly title: string; readonly body: string },
): Promise<number> {
  const where = splitRepository(repository);
  const { found, title, body } = text;
  return withCodes(github, async () => {
    if (found?.body === body) return found.number;
    if (found !== null) {
      await github.rest.issues.update({ ...where, issue_number: found.number, body });
      return found.number;
    }
    return github.createOnce(
      async () => {
        const labels = [dashboardLabel];
        const made = await github.rest.issues.create({ ...where, title, body, labels, ...noRetry });
        return made.data.number;
      },
      async () => (await findDashboard(github, repository))?.number ?? null,
    );
  });
}
