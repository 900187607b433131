/** What GitHub and other systems found of a commit: its check runs and its commit statuses. */
import { type GitHub, readPages } from '../api/github.ts';
import { getStatus } from '../api/github-errors.ts';

/** A check run or a commit status. Its texts are untrusted. */
export interface Check {
  readonly name: string;
  /** `undecided`: it ended without a verdict, such as a check that was cancelled. */
  readonly verdict: 'passed' | 'failed' | 'pending' | 'undecided';
  /** GitHub's word for its result, such as `timed_out`. */
  readonly word: string;
  /** What it says of itself; may be empty. */
  readonly text: string;
  /** The job of GitHub Actions that it is, which has a log. */
  readonly job?: number;
}

const verdicts: Readonly<Record<string, Check['verdict']>> = {
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
  failure: 'failed',
  error: 'failed',
  timed_out: 'failed',
  pending: 'pending',
};

/** Most pages of a hundred that are read of each kind. */
const maxPages = 10;

/**
 * All checks of a commit, the newest of each name, whether a rule requires them or not. Statuses that the token may not read
 * are left out, which the log says.
 * @throws PhotonError `GITHUB_*`.
 */
export async function readChecks(github: GitHub, ref: string): Promise<readonly Check[]> {
  const { rest, where } = github;
  const runs = await readPages(maxPages, async at => {
    const { data } = await rest.checks.listForRef({ ...where, ref, filter: 'latest', ...at });
    return { data: data.check_runs };
  });
  const statuses = await readPages(maxPages, async at => {
    const { data } = await rest.repos.getCombinedStatusForRef({ ...where, ref, ...at });
    return { data: data.statuses };
  }).catch((error: unknown) => {
    if (getStatus(error) !== 403 && getStatus(error) !== 404) throw error;
    github.log('GitHub: the token may not read commit statuses; grant statuses: read.');
    return [];
  });
  return [
    ...runs.map(({ id, name, conclusion, app, output }): Check => {
      const text = [output.title, output.summary].filter(Boolean).join('\n');
      const job = app?.slug === 'github-actions' ? { job: id } : {};
      return { name, ...judge(conclusion ?? 'pending'), text, ...job };
    }),
    ...statuses.map(
      ({ context: name, state, description }): Check => ({
        name,
        ...judge(state),
        text: description ?? '',
      }),
    ),
  ];
}

function judge(word: string): Pick<Check, 'verdict' | 'word'> {
  return { verdict: verdicts[word] ?? 'undecided', word };
}

/** The checks that failed. */
export function listFailed(checks: readonly Check[]): readonly Check[] {
  return checks.filter(check => check.verdict === 'failed');
}
