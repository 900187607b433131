/** Finds the workflows of a repository that run another agent. Pure; the files are only read as data. */
import { asObject } from '../../base/schema-issue.ts';
import { type Data, isScalar, listItems, readData } from '../../ecosystems/commands/ci-lines.ts';
import type { ProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { claudeCodeAction } from './claude-code-action.ts';
import { codexAction } from './codex-action.ts';
import { geminiCli } from './gemini-cli.ts';
import { openCode } from './opencode.ts';
import type { SourceAgent } from './source-agent.ts';

/** The agents whose workflows `photon init --from` reads. */
export const sourceAgents: readonly SourceAgent[] = [
  claudeCodeAction,
  codexAction,
  geminiCli,
  openCode,
];

/** A step of a workflow that runs another agent, and what is around it. */
export interface SourceStep {
  readonly path: string;
  readonly agent: SourceAgent;
  readonly step: Data;
  readonly job: Data;
  readonly jobName: string;
  readonly otherJobs: readonly string[];
  /** Events by name, with their filters; those of its callers for a workflow that others call. */
  readonly events: Data;
  /** True for a workflow that others call. */
  readonly isCalled: boolean;
  /** Conditions that may name the words of a command: its own, and those of every job of its callers. */
  readonly conditions: readonly string[];
  /** Conditions of the job, of the step and of the jobs that call it. */
  readonly ownConditions: readonly string[];
  readonly permissions: Data;
  readonly before: readonly Data[];
  readonly after: readonly Data[];
  readonly text: string;
}

const place = /^\.github\/workflows\/[^/]+\.ya?ml$/;

/** The steps that run an agent, by its name or in one file. Each job counts once. */
export async function findSources(
  files: ProjectFiles,
  wanted: { readonly agent?: SourceAgent; readonly path?: string },
): Promise<readonly SourceStep[]> {
  const paths = files.paths.filter(path => place.test(path)).sort();
  const all = new Map<string, Data>();
  for (const path of new Set([...paths, wanted.path ?? []].flat()))
    all.set(path, await readData(files, path));
  const found: SourceStep[] = [];
  for (const [path, workflow] of all) {
    if (wanted.path !== undefined && wanted.path !== path) continue;
    const text = (await files.read(path)) ?? '';
    const jobs = Object.entries(asObject(workflow.jobs));
    for (const [jobName, value] of jobs) {
      const job = asObject(value);
      const steps = listItems(job.steps).map(asObject);
      const index = steps.findIndex(step => pickAgent(step, wanted.agent) !== undefined);
      const step = steps[index];
      const agent = step && pickAgent(step, wanted.agent);
      if (step === undefined || agent === undefined) continue;
      found.push({
        path,
        agent,
        step,
        job,
        jobName,
        text,
        ...findEntry({ path, workflow, job, step }, all),
        otherJobs: jobs.map(([name]) => name).filter(name => name !== jobName),
        before: steps.slice(0, index),
        after: steps.slice(index + 1),
        permissions: asObject(job.permissions ?? workflow.permissions),
      });
    }
  }
  return found;
}

function pickAgent({ uses }: Data, wanted: SourceAgent | undefined): SourceAgent | undefined {
  const [action = ''] = String(uses ?? '').split('@');
  const agent = sourceAgents.find(each => each.uses.test(action));
  return wanted === undefined || agent === wanted ? agent : undefined;
}

/** What starts a job: the events of its workflow, or of those that call it. */
function findEntry(
  { path, workflow, job, step }: { path: string; workflow: Data; job: Data; step: Data },
  all: ReadonlyMap<string, Data>,
): Pick<SourceStep, 'events' | 'isCalled' | 'conditions' | 'ownConditions'> {
  const { workflow_call: called, ...own } = readEvents(workflow.on);
  const conditions = listConditions([job, step]);
  if (called === undefined)
    return { events: own, isCalled: false, conditions, ownConditions: conditions };
  const callers = [...all.values()]
    .map(each => ({ on: each.on, jobs: Object.values(asObject(each.jobs)).map(asObject) }))
    .filter(({ jobs }) => jobs.some(each => each.uses === `./${path}`));
  const jobs = callers.flatMap(each => each.jobs);
  const calling = jobs.filter(each => each.uses === `./${path}`);
  return {
    events: Object.assign({}, ...callers.map(each => readEvents(each.on)), own),
    isCalled: true,
    conditions: [...conditions, ...listConditions(jobs)],
    ownConditions: [...conditions, ...listConditions(calling)],
  };
}

const listConditions = (parts: readonly Data[]) =>
  parts.flatMap(part => (isScalar(part.if) ? [String(part.if)] : []));

/** The value of `on`: a name, a list of names, or filters by name. */
export function readEvents(on: unknown): Data {
  if (isScalar(on)) return { [String(on)]: null };
  return Array.isArray(on)
    ? Object.fromEntries(on.map(name => [String(name), null]))
    : asObject(on);
}
