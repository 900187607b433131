/** A `workflow_run` payload ► the failed run to repair. Pure. */
import * as z from 'zod';
import { type Author, accountSchema } from '../api/github.ts';

/** A workflow that failed on a commit. */
export interface FailedWorkflow {
  readonly kind: 'failed-workflow';
  readonly runId: number;
  readonly workflowId: number;
  readonly name: string;
  /** Branch that it ran for, and the branch's commit at that time. */
  readonly branch: string;
  readonly sha: string;
  /** True when that branch is in another repository. */
  readonly fork: boolean;
  /** Actor of the run. A person who ran it again does not count. */
  readonly by: Author;
  /** Open pull request of that branch in this repository. */
  readonly pull: { readonly number: number; readonly base: string } | undefined;
}

const repository = z.object({ id: z.number() });

const schema = z.object({
  action: z.string(),
  workflow_run: z.object({
    id: z.int(),
    workflow_id: z.int(),
    name: z.string().nullish(),
    conclusion: z.string().nullish(),
    head_branch: z.string().nullish(),
    head_sha: z.string().regex(/^[0-9a-f]{40}$/),
    head_repository: repository.nullish(),
    repository,
    actor: accountSchema,
    pull_requests: z
      .array(
        z.object({
          number: z.int().min(1),
          head: z.object({ ref: z.string(), repo: repository }),
          base: z.object({ ref: z.string(), repo: repository }),
        }),
      )
      .nullish(),
  }),
});

type DeclinedEvent = { readonly kind: 'declined'; readonly reason: string };

/** A run that ended without a failure; it matters to the watched pull requests of its branch. */
interface EndedWorkflow {
  readonly kind: 'watched';
  readonly heads: readonly string[];
}

/** Only a completed run is served. */
export function parseWorkflowRun(payload: unknown): FailedWorkflow | EndedWorkflow | DeclinedEvent {
  const parsed = schema.safeParse(payload);
  if (!parsed.success)
    return declineEvent('the payload of workflow_run lacks a field that Photon needs');
  const { action, workflow_run: run } = parsed.data;
  if (action !== 'completed' || !run.conclusion)
    return declineEvent('the result of the workflow run is not known yet');
  const branch = run.head_branch ?? '';
  if (branch === '') return declineEvent('the workflow run belongs to no branch');
  // a head repository that was deleted was a fork
  const fork = run.head_repository?.id !== run.repository.id;
  if (!/^(?:failure|timed_out)$/.test(run.conclusion))
    return fork
      ? declineEvent('the workflow run of a fork did not fail')
      : { kind: 'watched', heads: [branch] };
  const own = run.pull_requests?.find(
    p =>
      p.head.ref === branch &&
      p.head.repo.id === run.repository.id &&
      p.base.repo.id === run.repository.id,
  );
  return {
    kind: 'failed-workflow',
    runId: run.id,
    workflowId: run.workflow_id,
    name: run.name ?? '',
    branch,
    sha: run.head_sha,
    by: run.actor,
    fork,
    pull: own === undefined ? undefined : { number: own.number, base: own.base.ref },
  };
}

/** An event that starts no run. */
export function declineEvent(reason: string): DeclinedEvent {
  return { kind: 'declined', reason };
}
