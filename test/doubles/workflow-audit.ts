/** Security checks of a workflow, after the audits of zizmor. Findings are lines. */
import matter from 'gray-matter';
import { outputs } from '../../src/settings/output.ts';
import { actionInputs } from '../../src/settings/settings.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly concurrency?: unknown;
  readonly steps?: readonly Step[];
  readonly permissions?: unknown;
  readonly secrets?: unknown;
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly on?: unknown;
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

/** A `workflow_run` job that runs for no fork's head. */
const ownHead = 'workflow_run.head_repository.full_name == github.repository';

const dangerous = ['pull_request_target', 'workflow_run'];

/** Findings of a workflow's text; none when it is as it should be. */
export function auditWorkflow(text: string): readonly string[] {
  const workflow = matter(`---\n${text}\n---\n`, {}).data as Workflow;
  const events = JSON.stringify(workflow.on ?? {});
  return [
    ...dangerous
      .filter(e => events.includes(e))
      // one that looks at this repository's own branches alone runs no stranger's code
      .filter(e => e !== 'workflow_run' || !text.includes(ownHead))
      .map(e => `dangerous-triggers: ${e}`),
    ...(workflow.concurrency === undefined &&
    !Object.values(workflow.jobs ?? {}).some(job => job.concurrency !== undefined)
      ? ['no concurrency group']
      : []),
    ...auditPermissions('the workflow', workflow.permissions),
    ...Object.entries(workflow.jobs ?? {}).flatMap(([name, job]) => auditJob(name, job)),
    ...auditPins(text),
  ];
}

/** Permissions belong to the job that needs them. */
function auditPermissions(whose: string, permissions: unknown): readonly string[] {
  if (permissions === undefined) return [`excessive-permissions: ${whose} names none`];
  if (typeof permissions === 'string') return [`excessive-permissions: ${whose}: ${permissions}`];
  return Object.entries(permissions as object)
    .filter(([, level]) => level === 'write')
    .map(([name]) => `excessive-permissions: ${whose} gives every job ${name}: write`);
}

function auditJob(name: string, job: Job): readonly string[] {
  return [
    // a job that calls a workflow has its limit there
    ...(job['timeout-minutes'] === undefined && job.uses === undefined
      ? [`${name}: no timeout-minutes`]
      : []),
    ...(job.secrets === 'inherit' ? [`${name}: secrets-inherit`] : []),
    ...(typeof job.permissions === 'string' ? [`${name}: permissions: ${job.permissions}`] : []),
    ...(job.steps ?? []).flatMap(step => auditStep(step).map(f => `${name}: ${f}`)),
  ];
}

function auditStep({ uses = '', run = '', with: given = {} }: Step): readonly string[] {
  const checkout = uses.startsWith('actions/checkout@') && given['persist-credentials'] !== false;
  const own = uses.startsWith('photon/agent-action@') ? Object.keys(given) : [];
  return [
    ...(checkout ? ['artipacked: checkout keeps its credentials'] : []),
    ...(run.includes('${{') ? ['template-injection: an expression in a shell line'] : []),
    ...own.filter(name => !(name in actionInputs)).map(name => `there is no input ${name}`),
  ];
}

/** Actions of others by commit, with the version that the commit is. */
function auditPins(text: string): readonly string[] {
  return [...text.matchAll(/^\s*(?:- )?uses: (.+)$/gm)]
    .map(m => m[1] ?? '')
    .filter(uses => !uses.startsWith('photon/agent-action'))
    .filter(uses => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses))
    .map(uses => `unpinned-uses: ${uses}`);
}

/** Names after `steps.<id>.outputs.` that are no outputs of the Action. */
export function unknownOutputs(text: string): readonly string[] {
  return [...text.matchAll(/\bsteps\.\w+\.outputs\.([\w-]+)/g)]
    .map(m => m[1] ?? '')
    .filter(name => !(name in outputs));
}
