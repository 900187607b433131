/** A workflow that failed ► the task of repairing what made it fail, with its log as evidence. */
import { codes, PhotonError } from '../../codes.ts';
import { removeHiddenText } from '../../guard/hidden-text.ts';
import type { Task } from '../../task.ts';
import { type GitHub, splitRepository } from '../api/github.ts';
import { statusOf, withCodes } from '../api/github-errors.ts';
import { isMarkBranch } from '../api/journal.ts';
import { decideAccess } from '../auth/access.ts';
import { authorise } from '../auth/authorise.ts';
import { branchOf } from './branch-of.ts';
import { taskId, untilOf } from './command-task.ts';
import { readFailedLogs } from './failed-logs.ts';
import { findOwnOpen, findPersonsNo } from './look-first.ts';
import { type Planned, quiet, refused, type TaskGround } from './planned-task.ts';
import type { FailedWorkflow } from './workflow-run.ts';

/**
 * Serves a failure on a branch of this repository, started by somebody who may give tasks. Photon's
 * own branches are left out: a repair that fails must not call for another.
 * @throws PhotonError `GITHUB_*`, `CHECKOUT_MISMATCH`.
 */
export async function serveFailedWorkflow(
  ground: TaskGround,
  run: FailedWorkflow,
): Promise<Planned> {
  const { settings, repository } = ground;
  const { triggers, branchPrefix } = settings;
  if (run.branch.startsWith(branchPrefix) || isMarkBranch(run.branch))
    return quiet('EVENT_NOT_SERVED', 'The workflow failed on a branch of Photon’s own.');
  const github = await ground.github();
  const { role, reason } = await authorise(github, { repository, allowedActors: triggers }, run.by);
  const may = decideAccess('failed-workflow', role, { fork: run.fork, forks: triggers.forks });
  if (may === 'ignore')
    return quiet('NOT_AUTHORISED', `Whoever started the workflow may not give a task: ${reason}.`);
  if (may !== 'run') return quiet('FORK_PULL_REQUEST');
  if ((await headOf(github, repository, run.branch)) !== run.sha) return quiet('RUN_OUTDATED');
  requireCheckout(ground, run);
  const task = taskOf(ground, run);
  const question = { repository, branchPrefix };
  const branch = branchOf(task, settings);
  const left =
    (await findOwnOpen(github, question, branch)) ??
    (await findPersonsNo(github, question, branch));
  if (left !== null) return { task, refused: left };
  const logs = await readFailedLogs(github, repository, run.runId);
  const clean = logs.map(({ job, text }) => removeHiddenText(`Job: ${job}\n${text}`));
  if (clean.length === 0) return { task, refused: refused('abstained', 'TASK_EMPTY') };
  return {
    task: {
      ...task,
      context: clean.map(({ text }) => ({
        label: 'Log of a failed job (untrusted)',
        author: 'the workflow',
        text,
      })),
      hiddenRemoved: clean.reduce((sum, log) => sum + log.removed, 0),
    },
  };
}

function taskOf({ settings, repository }: TaskGround, run: FailedWorkflow): Task {
  const { branch, pull, sha, workflowId } = run;
  const until = untilOf({ verb: 'fix' }, settings.triggers);
  return {
    // one task for a workflow on a branch: it is repaired once, not once a failure
    id: taskId('ci', `${workflowId}\0${branch}`),
    trigger: 'failed-workflow',
    askedBy: run.by.login,
    repository,
    baseRef: branch,
    prompt:
      'A workflow of this repository failed on this commit. Find out from its log what made it fail, and repair the cause.',
    context: [],
    hiddenRemoved: 0,
    ...(pull === null
      ? {}
      : {
          conversation: { kind: 'pull-request', number: pull.number },
          headBranch: { number: pull.number, ref: branch, sha, base: pull.base },
        }),
    ...(until === null ? {} : { until }),
  };
}

async function headOf(github: GitHub, repository: string, branch: string): Promise<string | null> {
  return withCodes(github, async () => {
    try {
      const ref = { ...splitRepository(repository), ref: `heads/${branch}` };
      return (await github.rest.git.getRef(ref)).data.object.sha;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  });
}

function requireCheckout({ baseCommit }: TaskGround, { sha }: FailedWorkflow): void {
  if (baseCommit === sha) return;
  const hint =
    'Give actions/checkout: ref: $' +
    '{{ github.event.workflow_run.head_sha }} (docs/triggers.md shows it).';
  throw new PhotonError('CHECKOUT_MISMATCH', codes.CHECKOUT_MISMATCH.meaning, { hint });
}
