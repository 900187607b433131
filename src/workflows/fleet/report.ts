/** Collects the runs of many repositories from GitHub: the repositories of an organisation, workflow runs, and the outcomes in their artifacts. */
import { posix } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { type GitHub, readPages } from '../../hosts/github/api/github.ts';
import { getStatus } from '../../hosts/github/api/github-errors.ts';
import { fetchArtifacts } from '../../hosts/github/api/run-artifacts.ts';
import { runsAmong } from '../../workspace/files/read-foreign.ts';
import { readZip } from '../../workspace/files/read-zip.ts';
import { parseOutcomes, type RowOutcome } from './gather.ts';

/** Workflow runs whose artifacts are read, the newest. */
const maxRuns = 1_000;
const archiveBounds = {
  maxEntries: 2000,
  maxBytes: 64 * 1024 * 1024,
  wanted: (path: string) => posix.basename(path) === 'outcome.json',
} as const;

interface FleetRequest {
  readonly repositories: readonly string[];
  /** Part of the name or path of a workflow. */
  readonly word: string;
  /** ISO 8601. */
  readonly since: string;
}

/** What a report over many repositories shows. */
export interface FleetReport {
  /** Newest first. The repository and the page of each are those that GitHub named, whatever its artifact says. */
  readonly rows: readonly RowOutcome[];
  /** Runs that left no outcome that can be read. */
  readonly without: readonly FinishedWorkflowRun[];
  /** Repositories whose workflows GitHub does not show, each with its error. */
  readonly unread: readonly string[];
  /** Older runs beyond the bound. */
  readonly older: number;
}

/** True if one repository, workflow run or artifact lacks something; the report goes on without it. */
function isOfOne({ code, cause }: PhotonError): boolean {
  if (code === 'GITHUB_UNAVAILABLE') return false;
  return !code.startsWith('GITHUB_') || [403, 404, 410].includes(getStatus(cause) ?? 0);
}

/** @throws PhotonError `GITHUB_*` for what is no matter of one repository. */
export async function collectFleet(github: GitHub, request: FleetRequest): Promise<FleetReport> {
  const found: FinishedWorkflowRun[] = [];
  const unread: string[] = [];
  for (const repository of request.repositories) {
    const runs = await unlessMissing(() => listWorkflowRuns(github.at(repository), request));
    if (runs instanceof PhotonError) unread.push(`${repository}: ${runs.message}`);
    else found.push(...runs);
  }
  const newest = found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, maxRuns);
  const rows: RowOutcome[] = [];
  const without: FinishedWorkflowRun[] = [];
  for (const run of newest) {
    const read = await unlessMissing(() => readOutcomes(github, run));
    if (read instanceof PhotonError || read.length === 0) without.push(run);
    else rows.push(...read);
  }
  return { rows, without, unread, older: found.length - newest.length };
}

async function readOutcomes(github: GitHub, run: FinishedWorkflowRun) {
  const { repository, id, page, createdAt } = run;
  const rows: RowOutcome[] = [];
  for await (const zip of fetchArtifacts(github.at(repository), id)) {
    const texts = runsAmong(readZip(zip, archiveBounds)).map(({ outcome }) => outcome);
    rows.push(...parseOutcomes(texts).rows);
  }
  return rows.map(row => ({ ...row, startedAt: row.startedAt ?? createdAt, repository, page }));
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | PhotonError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PhotonError && isOfOne(error)) return error;
    throw error;
  }
}

/** Pages of a hundred that are read of each list. GitHub answers a search by date with at most a thousand runs. */
const maxPages = 10;

/** A workflow run on GitHub that has ended. */
interface FinishedWorkflowRun {
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
async function listWorkflowRuns(
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
