/** Lists the repositories of an organisation and their finished workflow runs, for a report over all of them. */
import { type GitHub, readPages } from '../api/github.ts';
import { getStatus } from '../api/github-errors.ts';

/** Pages of a hundred that are read of each list. GitHub answers a search by date with at most a thousand runs. */
const maxPages = 10;

/** A workflow run on GitHub that has ended. */
export interface FinishedWorkflowRun {
  readonly repository: string;
  readonly id: number;
  /** Its address. */
  readonly page: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Such as `success` and `cancelled`. */
  readonly conclusion: string;
}

/** The repositories that are not archived, by name; at most 1,000. Undefined if GitHub shows no such organisation. */
export async function listRepositories(
  github: GitHub,
  organisation: string,
): Promise<readonly string[] | undefined> {
  try {
    const all = await readPages(maxPages, at =>
      github.rest.repos.listForOrg({ org: organisation, sort: 'full_name', ...at }),
    );
    return all.filter(each => !each.archived).map(each => each.full_name);
  } catch (error) {
    if (getStatus(error) === 404) return undefined;
    throw error;
  }
}

/**
 * The finished runs of workflows that have a word in their name or path, since a day. A run that GitHub skipped, such as
 * one for a comment without a command, is left out.
 * @throws PhotonError `GITHUB_*`.
 */
export async function listWorkflowRuns(
  github: GitHub,
  { word, since }: { readonly word: string; readonly since: string },
): Promise<readonly FinishedWorkflowRun[]> {
  const { data } = await github.rest.actions.listRepoWorkflows({ ...github.where, per_page: 100 });
  const isNamed = (text: string) => text.toLowerCase().includes(word.toLowerCase());
  const named = data.workflows.filter(({ name, path }) => isNamed(name) || isNamed(path));
  const found: FinishedWorkflowRun[] = [];
  for (const { id } of named) {
    const runs = await readPages(maxPages, async at => {
      const about = { ...github.where, workflow_id: id, created: `>=${since}`, ...at };
      const reply = await github.rest.actions.listWorkflowRuns(about);
      return { data: reply.data.workflow_runs };
    });
    for (const { id: run, html_url, created_at, conclusion } of runs)
      if (conclusion !== null && conclusion !== 'skipped')
        found.push({
          repository: github.repository,
          id: run,
          page: html_url,
          createdAt: created_at,
          conclusion,
        });
  }
  return found;
}
