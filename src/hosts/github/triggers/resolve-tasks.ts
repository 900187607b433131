/** The request that started this process ► the tasks to run, or the reason why nothing runs. */
import * as z from 'zod';
import type { Task } from '../../../base/task.ts';
import type { TaskFromTrigger, TaskPlan } from '../../host.ts';
import { inputTasks, nothingToRepair, readyTasks } from '../../input-task.ts';
import { notAllowed, quiet, refuseTask } from '../../planned-task.ts';
import type { Author } from '../api/github.ts';
import { authorise, checkAccess, decideAccess } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { unlessRejected } from '../delivery/own-pulls.ts';
import { settleTask } from '../maintenance/settle-records.ts';
import { type FleetRow, maintenanceTasks, taskOfPrompt, taskOfRow } from '../maintenance/tasks.ts';
import type { EventRequest, Tick } from '../parse/event.ts';
import { serveFailedWorkflow } from './failed-workflow.ts';
import { serveLabel } from './issue.ts';
import { serveWatched, stepsOfEvent } from './keep-green.ts';
import { reviewOfEvent } from './review-task.ts';
import { serveCommand } from './serve-command.ts';

export interface TriggerContext extends RepositoryContext {
  readonly request: Exclude<EventRequest, { kind: 'declined' }>;
  /** The row of a fleet's plan that this process carries out; undefined outside of a fleet. */
  readonly row: FleetRow | undefined;
}

/** Resolves a request. People without write access get no task and no answer. */
export async function resolveTasks(context: TriggerContext): Promise<readonly TaskPlan[]> {
  return readyTasks(await makeTasks(context), context);
}

async function makeTasks(context: TriggerContext): Promise<readonly TaskPlan[]> {
  const { request, row, failed } = context;
  if (failed !== undefined) {
    if (request.kind !== 'command') throw failed;
    return [await serveCommand(context, request)];
  }
  if (row !== undefined) return [{ task: taskOfRow(context, row) }];
  switch (request.kind) {
    case 'task':
      return plannedInputs(context, request.prompt);
    case 'dispatch':
      return [await serveDispatch(context, request, taskOfPrompt(context, request.prompt))];
    case 'schedule':
      return serveSchedule(context);
    case 'records': {
      const { number, who } = request;
      const { planned, report } = await settleTask(context, { number, who, cause: 'closed' });
      await stepsOfEvent(context, { number });
      return [report ? planned : { ...planned, task: undefined }];
    }
    case 'tick':
      return tickedTasks(context, request);
    case 'command':
      return [await serveCommand(context, request)];
    case 'label':
    case 'assignment':
      return [await serveLabel(context, request, request.kind)];
    case 'review':
      return [await reviewOfEvent(context, request)];
    case 'watched':
      return serveWatched(context, request);
    case 'failed-workflow':
      return [await serveFailedWorkflow(context, request)];
  }
}

/** The maintenance tasks that are due, and a step for each watched pull request. */
async function serveSchedule(context: TriggerContext): Promise<readonly TaskPlan[]> {
  const due = await maintenanceTasks(context, 'due');
  const steps = await stepsOfEvent(context, {});
  return steps.length > 0 && due.every(p => p.task === undefined) ? steps : [...due, ...steps];
}

/** The tasks of the inputs `task` and `sarif`. */
async function plannedInputs(
  context: TriggerContext,
  prompt: string,
): Promise<readonly TaskPlan[]> {
  const { sarifFindings } = context.settings;
  const tasks = await inputTasks(context, taskOfPrompt(context, prompt), sarifFindings);
  if (tasks.length === 0) return [nothingToRepair];
  return Promise.all(tasks.map(task => plannedInput(context, task)));
}

/** A task that a person rejected earlier runs again only if a person starts the workflow by hand. */
async function plannedInput(context: TriggerContext, task: Task): Promise<TaskPlan> {
  const planned = withForkHead(task, context);
  const byHand = context.input.event.name === 'workflow_dispatch';
  if (planned.refused !== undefined || byHand) return planned;
  return unlessRejected(context, planned);
}

const pullEvent = z.object({
  pull_request: z.object({
    number: z.int().min(1),
    head: z.object({
      ref: z.string(),
      sha: z.string(),
      repo: z.object({ id: z.number() }).nullish(),
    }),
    base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
  }),
});

/** The task unchanged, unless the event is about the head of a fork: that is refused, or answered with suggestions. */
function withForkHead(task: Task, { input, settings }: RepositoryContext): TaskFromTrigger {
  const parsed = pullEvent.safeParse(input.event.payload);
  if (!parsed.success) return { task };
  const { number, head, base } = parsed.data.pull_request;
  const fork = head.repo?.id !== base.repo.id;
  if (!fork) return { task };
  const access = decideAccess('task', 'writer', { fork, forks: settings.triggers.forks });
  const headBranch = { number, ref: head.ref, sha: head.sha, base: base.ref, fork };
  const onFork: Task = { ...task, baseRef: base.ref, headBranch };
  return access === 'suggest'
    ? { task: { ...onFork, conversation: { kind: 'pull-request', number } } }
    : { task: onFork, refused: refuseTask('failed', 'FORK_PULL_REQUEST') };
}

/** Ignores boxes that were ticked by people without write access. */
async function tickedTasks(context: TriggerContext, tick: Tick): Promise<readonly TaskPlan[]> {
  const { allowed, reason } = await authorise(context, tick.author);
  if (allowed) return maintenanceTasks(context, tick.names);
  context.log(`The author of the tick is not allowed to start tasks: ${reason}.`);
  return [quiet('NOT_AUTHORISED')];
}

/**
 * Serves the event. GitHub accepts it only from a token that can write contents, which authorises a
 * bot. A person is authorised like everywhere else, so the lists of the settings apply here, too.
 * @throws PhotonError `GITHUB_*`.
 */
async function serveDispatch(
  context: RepositoryContext,
  { by }: { readonly by: Author },
  inputTask: Task,
): Promise<TaskPlan> {
  const { access, reason } = await checkAccess(context, 'dispatch', { author: by, fork: false });
  if (access === 'ignore') return notAllowed('The sender of the event', reason);
  const task: Task = { ...inputTask, trigger: 'dispatch', askedBy: by.login };
  return unlessRejected(context, { task });
}
