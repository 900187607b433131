/** The outcomes of many runs: those of a fleet’s rows, as a summary and the dashboard (`mode: gather`), and those of many repositories, from the artifacts of their workflow runs. */
import { posix } from 'node:path';
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { getSeverity, statuses } from '../../base/outcome.ts';
import { sum } from '../../base/plural.ts';
import { parseJson } from '../../base/schema-issue.ts';
import { type GitHub, readPages } from '../../hosts/github/api/github.ts';
import { allowMissing, getStatus } from '../../hosts/github/api/github-errors.ts';
import { fetchArtifacts } from '../../hosts/github/api/run-artifacts.ts';
import { keepDashboard } from '../../hosts/github/maintenance/dashboard.ts';
import { withGitHub } from '../../hosts/github/open-github.ts';
import type { RunInput } from '../../hosts/host.ts';
import { dashboardText } from '../../report/comment/dashboard.ts';
import { readOutcomeFiles, runsAmong } from '../../workspace/files/read-foreign.ts';
import { readZip } from '../../workspace/files/read-zip.ts';

/** What names the edit of the embedded engine. */
const repairSchema = z.object({
  edit: z
    .object({
      path: z.string(),
      symbol: z.string().optional(),
      line: z.number(),
      before: z.string(),
      after: z.string(),
    })
    .optional(),
});

/** The part of an outcome that is read; artifacts are untrusted until validated. */
const gatheredSchema = z.object({
  schema: z.literal(1),
  status: z.enum(statuses),
  code: z.string().regex(/^[A-Z_]{3,40}$/),
  message: z.string(),
  repository: z.string(),
  page: z
    .string()
    .regex(/^https?:\/\/[\w.:-]+\/[\w./-]+$/)
    .optional(),
  task: z.object({
    id: z.string(),
    trigger: z.string(),
    text: z.string().optional(),
    maintenance: z.string().optional(),
  }),
  startedAt: z.iso.datetime().optional(),
  durationMs: z.number().min(0).optional(),
  repair: repairSchema.optional(),
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number().optional(),
  }),
  delivered: z.object({
    pullRequestNumber: z.number().optional(),
    pullRequestUrl: z.string().optional(),
    kind: z.string().optional(),
  }),
});

type RowOutcome = z.infer<typeof gatheredSchema>;

/** The outcomes, and the number of files that were not valid outcomes. */
interface Gathering {
  readonly rows: readonly RowOutcome[];
  readonly unreadable: number;
}

/** Parses outcomes and sorts them by task and repository. */
export function parseOutcomes(texts: readonly string[]): Gathering {
  const parsed = texts.map(text => gatheredSchema.safeParse(parseJson(text)).data);
  const rows = parsed.filter(row => row !== undefined);
  const key = (row: RowOutcome) => `${row.task.id}\0${row.repository}`;
  return {
    rows: [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1)),
    unreadable: parsed.length - rows.length,
  };
}

/**
 * Reads the outcomes below a folder and updates the dashboard of this repository.
 * @throws PhotonError `OUTCOMES_MISSING`, and what opening a run throws.
 */
export async function gatherFleet(input: RunInput): Promise<Gathering> {
  const folder = input.inputs.outcomes?.trim() ?? '';
  const texts = folder === '' ? [] : readOutcomeFiles(folder);
  if (texts.length === 0) throw new PhotonError('OUTCOMES_MISSING');
  const gathering = parseOutcomes(texts);
  await withGitHub(input, { kind: 'schedule' }, opened =>
    keepDashboard(opened, lastOfEach(gathering, opened.repository), dashboardText),
  );
  return gathering;
}

/** For the dashboard: a task with several packages shows its worst row, with the cost of all rows. */
function lastOfEach({ rows }: Gathering, repository: string) {
  const names = [...new Set(rows.flatMap(row => row.task.maintenance ?? []))];
  return names.flatMap(name => {
    const own = rows
      .filter(row => row.task.maintenance === name && row.repository === repository)
      .sort((a, b) => getSeverity(b.status) - getSeverity(a.status));
    const [worst] = own;
    return worst === undefined ? [] : [{ outcome: { ...worst, usage: sumUsage(own) } }];
  });
}

function sumUsage(rows: readonly RowOutcome[]): RowOutcome['usage'] {
  const costs = rows.flatMap(row => row.usage.cost ?? []);
  return {
    inputTokens: sum(rows.map(row => row.usage.inputTokens)),
    outputTokens: sum(rows.map(row => row.usage.outputTokens)),
    cost: costs.length === 0 ? undefined : sum(costs),
  };
}

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
  const pages = readPages(maxPages, at =>
    github.rest.repos.listForOrg({ org: organisation, sort: 'full_name', ...at }),
  );
  const all = await allowMissing(pages);
  return all?.filter(each => !each.archived).map(each => each.full_name);
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
