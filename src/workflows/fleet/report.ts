/** Collects the runs of many repositories from GitHub: workflow runs, and the outcomes in their artifacts. */
import { posix } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import type { GitHub } from '../../hosts/github/api/github.ts';
import { getStatus } from '../../hosts/github/api/github-errors.ts';
import { fetchArtifacts } from '../../hosts/github/api/run-artifacts.ts';
import {
  type FinishedWorkflowRun,
  listWorkflowRuns,
} from '../../hosts/github/maintenance/fleet-runs.ts';
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

export interface FleetRequest {
  readonly repositories: readonly string[];
  /** Part of the name or path of a workflow. */
  readonly word: string;
  /** ISO 8601. */
  readonly since: string;
  readonly apiUrl: string;
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
    const read = await unlessMissing(() => readOutcomes(github, run, request.apiUrl));
    if (read instanceof PhotonError || read.length === 0) without.push(run);
    else rows.push(...read);
  }
  return { rows, without, unread, older: found.length - newest.length };
}

async function readOutcomes(github: GitHub, run: FinishedWorkflowRun, apiUrl: string) {
  const { repository, id, page, createdAt } = run;
  const rows: RowOutcome[] = [];
  for await (const zip of fetchArtifacts(github.at(repository), { run: id, apiUrl })) {
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
