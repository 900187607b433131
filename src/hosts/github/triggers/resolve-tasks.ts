/** The request that started this process ► the tasks to run, or the reason why there is none. */

import type { Code } from '../../../base/codes.ts';
import type { Task } from '../../../base/task.ts';
import { isPrivateAddress } from '../../../model/providers.ts';
import type { Settings } from '../../../settings/settings.ts';
import { authoriseAuthor, type RepositoryContext } from '../auth/repository-context.ts';
import { type FleetRow, taskOfRow } from '../maintenance/row.ts';
import { maintenanceTasks } from '../maintenance/tasks.ts';
import type { Tick } from '../parse/dashboard-tick.ts';
import type { EventRequest } from '../parse/event.ts';
import { taskOfInput, withForkHead } from '../parse/input-task.ts';
import { branchOf } from '../parse/new-task.ts';
import { type Planned, quiet, refused } from '../parse/planned-task.ts';
import { settleTask } from './accept.ts';
import { alertTasks } from './alert-tasks.ts';
import { serveDispatch } from './dispatch.ts';
import { withEarlierPatch } from './earlier-patch.ts';
import { serveFailedWorkflow } from './failed-workflow.ts';
import { serveIssue, servePullLabel } from './issue.ts';
import { findPersonsNo } from './look-first.ts';
import { reviewOfEvent } from './review-task.ts';
import { serveCommand } from './serve-command.ts';

export interface TriggerContext extends RepositoryContext {
  readonly request: Exclude<EventRequest, { kind: 'declined' }>;
  /** The row of a fleet's plan that this process carries out; null outside of a fleet. */
  readonly row: FleetRow | null;
}

/** Resolves a request. People without write access get no task and no answer. */
export async function resolveTasks(context: TriggerContext): Promise<readonly Planned[]> {
  const planned = (await tasksOf(context)).map(p => withPatch(p, context));
  const missing = missingModel(context.settings);
  if (missing === null) return planned;
  return planned.map(p =>
    p.refused === undefined ? { ...p, refused: refused('failed', missing) } : p,
  );
}

function withPatch(planned: Planned, context: TriggerContext): Planned {
  const { settings, input, taskTexts, scrub, log } = context;
  const { task, refused: ended } = planned;
  if (task === null || ended !== undefined) return planned;
  const { workspace } = input;
  const earlier = { workspace, path: settings.fromPatch, taskTexts, scrub, log };
  return { task: withEarlierPatch(task, earlier) };
}

/** Only a task that runs needs a model; a command that is answered at once does not. */
function missingModel({ engine, model, apiKey, baseUrl }: Settings): Code | null {
  if (engine === 'builtin') return null;
  if (model === '') return 'MODEL_MISSING';
  return apiKey === '' && !isPrivateAddress(baseUrl) ? 'API_KEY_MISSING' : null;
}

async function tasksOf(context: TriggerContext): Promise<readonly Planned[]> {
  const { request, row } = context;
  if (row !== null) return [{ task: taskOfRow(context, row) }];
  switch (request.kind) {
    case 'task':
      return inputTasks(context, request.prompt);
    case 'dispatch':
      return [await serveDispatch(context, request, taskOfInput(context, request.prompt))];
    case 'schedule':
      return maintenanceTasks(context, 'due');
    case 'records': {
      const { number, who } = request;
      const { planned, report } = await settleTask(context, { number, who, cause: 'closed' });
      return [report ? planned : { ...planned, task: null }];
    }
    case 'tick':
      return tickedTasks(context, request);
    case 'command':
      return [await serveCommand(context, request)];
    case 'issue':
      return [await serveIssue(context, request)];
    case 'pull-label':
      return [await servePullLabel(context, request)];
    case 'pull-review':
      return [await reviewOfEvent(context, request.command)];
    case 'failed-workflow':
      return [await serveFailedWorkflow(context, request)];
  }
}

/** The tasks of the inputs `task` and `sarif`. */
async function inputTasks(context: TriggerContext, prompt: string): Promise<readonly Planned[]> {
  if (context.settings.sarif === '')
    return [await inputTask(context, taskOfInput(context, prompt))];
  // other runs load no parser of SARIF
  const tasks = await alertTasks(context, prompt);
  if (tasks.length === 0)
    return [quiet('NOTHING_TO_DO', 'The SARIF file has no finding to repair.')];
  return Promise.all(tasks.map(task => inputTask(context, task)));
}

/** A task that a person rejected earlier runs again only if a person starts the workflow by hand. */
async function inputTask(context: TriggerContext, task: Task): Promise<Planned> {
  const planned = withForkHead(task, context);
  const { name } = context.input.event;
  const byHand = name === 'workflow_dispatch' || context.repository === '';
  if (planned.refused !== undefined || planned.task === null || byHand) return planned;
  const rejected = await findPersonsNo(context, branchOf(planned.task, context.settings));
  return rejected === null ? planned : { ...planned, refused: rejected };
}

/** Ignores boxes that were ticked by people without write access. */
async function tickedTasks(context: TriggerContext, tick: Tick): Promise<readonly Planned[]> {
  const { allowed, reason } = await authoriseAuthor(context, tick.author);
  if (allowed) return maintenanceTasks(context, tick.names);
  context.log(`The author of the tick is not allowed to start tasks: ${reason}.`);
  return [quiet('NOT_AUTHORISED')];
}
