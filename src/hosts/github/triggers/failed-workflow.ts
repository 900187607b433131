/** A workflow that failed ► the task of repairing the cause, with its log as evidence. */
import { codes, PhotonError } from '../../../base/codes.ts';
import type { Task } from '../../../base/task.ts';
import type { TaskPlan } from '../../host.ts';
import {
  cleanTexts,
  makeBranchName,
  notAllowed,
  quiet,
  refuseTask,
  taskId,
} from '../../planned-task.ts';
import { readCommit } from '../api/commit-objects.ts';
import { readRef } from '../api/refs.ts';
import { checkAccess } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { readFailedLogs } from '../conversation/failed-logs.ts';
import { findOpenPullRequest } from '../delivery/branch.ts';
import { findOwnOpen, findRejection } from '../delivery/own-pulls.ts';
import { chooseEndStage } from '../parse/verbs.ts';
import type { FailedWorkflow } from '../parse/workflow-run.ts';
import { stepOfEvent } from './keep-green.ts';
import { asUpdateTask, isUpdatePull } from './update-pull.ts';

/**
 * Serves a failure on a branch of this repository if the person who started the workflow is allowed to
 * give tasks. Photon's own branches are left out: a repair that fails must not start another repair.
 * @throws PhotonError `GITHUB_*`, `CHECKOUT_MISMATCH`.
 */
export async function serveFailedWorkflow(
  context: RepositoryContext,
  payload: FailedWorkflow,
): Promise<TaskPlan> {
  const { github, settings } = context;
  const run = await withPull(context, payload);
  const watched = run.pull && !run.fork && (await stepOfEvent(context, run.pull.number));
  if (watched) return watched;
  if (run.branch.startsWith(settings.branchPrefix))
    return quiet('EVENT_NOT_SERVED', 'The workflow failed on one of Photon’s own branches.');
  const caller = { author: run.by, fork: run.fork };
  const { access, reason } = await checkAccess(context, 'failed-workflow', caller);
  if (access === 'ignore') return notAllowed('The person who started the workflow', reason);
  if (access !== 'run') return quiet('FORK_PULL_REQUEST');
  const head = await readRef(github, `refs/heads/${run.branch}`);
  if (head !== run.sha) return quiet('RUN_OUTDATED');
  requireCheckout(context, run);
  if (/^Photon-Task: /m.test((await readCommit(github, run.sha)).message))
    return quiet(
      'EVENT_NOT_SERVED',
      'The workflow failed on a commit of Photon’s own, so that a repair that fails does not start another one.',
    );
  const task = makeTask(context, run);
  const branch = makeBranchName(task, settings);
  const left = (await findOwnOpen(context, branch)) ?? (await findRejection(context, branch));
  if (left !== undefined) return { task, refused: left };
  const { taskTexts } = context;
  const logs = await readFailedLogs(github, { runId: run.runId, taskTexts });
  if (logs.length === 0) return { task, refused: refuseTask('abstained', 'TASK_EMPTY') };
  const label = taskTexts('log_label', {});
  const texts = logs.map(log => ({
    label,
    author: 'the workflow',
    text: taskTexts('log', { ...log }),
  }));
  const { context: shown, removed } = cleanTexts('CI log', texts);
  const withLogs: Task = { ...task, context: shown, hiddenRemoved: removed };
  const { pull, sha } = run;
  const isUpdate = pull !== undefined && isUpdatePull({ ref: run.branch, login: run.by.login });
  if (!isUpdate) return { task: withLogs };
  const commits = { base: pull.base, head: sha, hasWords: false };
  return { task: await asUpdateTask(context, withLogs, commits) };
}

/** The run with the open pull request of its branch, which the payload of a new pull request lacks. */
async function withPull(
  { github }: RepositoryContext,
  run: FailedWorkflow,
): Promise<FailedWorkflow> {
  if (run.pull !== undefined || run.fork) return run;
  const open = await findOpenPullRequest(github, run.branch);
  return { ...run, pull: open && { number: open.number, base: open.base.ref } };
}

function makeTask(context: RepositoryContext, run: FailedWorkflow): Task {
  const { settings, repository, taskTexts } = context;
  const { branch, pull, sha, workflowId } = run;
  const until = chooseEndStage('fix', settings.triggers);
  return {
    // one task per workflow and branch, so several failures lead to one repair
    id: taskId('ci', `${workflowId}\0${branch}`),
    trigger: 'failed-workflow',
    askedBy: run.by.login,
    repository,
    baseRef: branch,
    prompt: taskTexts('failed_workflow', {}),
    context: [],
    hiddenRemoved: 0,
    conversation: pull === undefined ? undefined : { kind: 'pull-request', number: pull.number },
    headBranch:
      pull === undefined ? undefined : { number: pull.number, ref: branch, sha, base: pull.base },
    until,
  };
}

function requireCheckout({ baseCommit }: RepositoryContext, { sha }: FailedWorkflow): void {
  if (baseCommit === sha) return;
  const hint =
    'Give actions/checkout: ref: $' +
    '{{ github.event.workflow_run.head_sha }} (docs/triggers.md shows it).';
  throw new PhotonError('CHECKOUT_MISMATCH', codes.CHECKOUT_MISMATCH.meaning, { hint });
}
