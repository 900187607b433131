/** Finds the workflows of a repository that run another agent. Pure; the files are only read as data. */
import { asObject } from '../../base/schema-issue.ts';
import { type Data, isScalar, listItems, readData } from '../../ecosystems/commands/ci-lines.ts';
import type { ProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { sourceAgents } from './agents.ts';
import type { SourceAgent } from './source-agent.ts';

/** A step of a workflow that runs another agent, and what is around it. */
export interface SourceStep {
  readonly path: string;
  readonly agent: SourceAgent;
  readonly step: Data;
  readonly job: Data;
  readonly jobName: string;
  /** Names of the other jobs of its workflow. */
  readonly otherJobs: readonly string[];
  /** Events by name, with their filters; those of its callers for a workflow that others call. */
  readonly events: Data;
  /** Conditions of the job and of the jobs that call it. */
  readonly conditions: readonly string[];
  readonly permissions: Data;
  readonly before: readonly Data[];
  readonly after: readonly Data[];
  /** The file as text. */
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
        ...{ path, agent, step, job, jobName, text, ...findEntry({ path, workflow, job }, all) },
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
  { path, workflow, job }: { path: string; workflow: Data; job: Data },
  all: ReadonlyMap<string, Data>,
): Pick<SourceStep, 'events' | 'conditions'> {
  const { workflow_call: called, ...own } = readEvents(workflow.on);
  const conditions = typeof job.if === 'string' ? [job.if] : [];
  if (called === undefined) return { events: own, conditions };
  const callers = [...all.values()].filter(each =>
    Object.values(asObject(each.jobs)).some(each => asObject(each).uses === `./${path}`),
  );
  const theirs = callers.map(each => readEvents(each.on));
  const texts = callers.flatMap(each =>
    Object.values(asObject(each.jobs)).map(j => asObject(j).if),
  );
  return {
    events: Object.assign({}, ...theirs, own),
    conditions: [...conditions, ...texts.filter(text => typeof text === 'string')],
  };
}

/** The value of `on`: a name, a list of names, or filters by name. */
function readEvents(on: unknown): Data {
  if (isScalar(on)) return { [String(on)]: null };
  return Array.isArray(on)
    ? Object.fromEntries(on.map(name => [String(name), null]))
    : asObject(on);
}
