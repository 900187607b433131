/** What started this process ► the tasks to run, or why there is none. */
import type { Code } from '../codes.ts';
import type { Settings } from '../settings/settings.ts';
import { authorise } from './auth/authorise.ts';
import { serveCommand } from './commands/serve-command.ts';
import { settleTask } from './commands/settle-task.ts';
import { branchOf } from './events/branch-of.ts';
import type { Tick } from './events/dashboard-tick.ts';
import { serveDispatch } from './events/dispatch.ts';
import { withEarlierPatch } from './events/earlier-patch.ts';
import type { EventRequest } from './events/event.ts';
import { serveFailedWorkflow } from './events/failed-workflow.ts';
import { taskOfInput } from './events/input-task.ts';
import { serveIssue } from './events/issue.ts';
import { findPersonsNo } from './events/look-first.ts';
import { type Planned, quiet, refused, type TaskGround } from './events/planned-task.ts';
import { withForkHead } from './events/task-on-pull.ts';
import type { FleetRow } from './maintenance/row.ts';
import { taskOfRow } from './maintenance/row-task.ts';
import { maintenanceTasks } from './maintenance/tasks.ts';

export interface TriggerOptions extends TaskGround {
  readonly request: Exclude<EventRequest, { kind: 'declined' }>;
  /** The row of a fleet's plan that this process carries out. */
  readonly row: FleetRow | null;
}

/** Resolves a request; people without write access get no task and no answer. */
export async function resolveTasks(options: TriggerOptions): Promise<readonly Planned[]> {
  const planned = (await tasksOf(options)).map(p => withPatch(p, options));
  const missing = missingModel(options.settings);
  if (missing === null) return planned;
  return planned.map(p =>
    p.refused === undefined ? { ...p, refused: refused('failed', missing) } : p,
  );
}

function withPatch(planned: Planned, { settings, input, scrub, log }: TriggerOptions): Planned {
  const { task, refused: ended } = planned;
  if (task === null || ended !== undefined) return planned;
  const { workspace } = input;
  return { task: withEarlierPatch(task, { workspace, path: settings.fromPatch, scrub, log }) };
}

/** Only a task that is to be run needs a model; a command that is answered at once does not. */
function missingModel({ engine, model, apiKey }: Settings): Code | null {
  if (engine === 'builtin') return null;
  if (model === '') return 'MODEL_MISSING';
  return apiKey === '' ? 'API_KEY_MISSING' : null;
}

async function tasksOf(options: TriggerOptions): Promise<readonly Planned[]> {
  const { request, row } = options;
  if (row !== null) return [{ task: taskOfRow(options, row) }];
  switch (request.kind) {
    case 'task':
      return [await inputTask(options, request.prompt)];
    case 'dispatch':
      return [await serveDispatch(options, request, taskOfInput(options, request.prompt))];
    case 'schedule':
      return maintenanceTasks(options, 'due');
    case 'records': {
      const { number, who } = request;
      const { planned, tell } = await settleTask(options, { number, who, cause: 'closed' });
      return [tell ? planned : { ...planned, task: null }];
    }
    case 'tick':
      return tickedTasks(options, request);
    case 'command':
      return [await serveCommand(options, request)];
    case 'issue':
      return [await serveIssue(options, request)];
    case 'failed-workflow':
      return [await serveFailedWorkflow(options, request)];
  }
}

/** A person who starts a workflow by hand is not held to an earlier no; anything else is. */
async function inputTask(options: TriggerOptions, prompt: string): Promise<Planned> {
  const planned = withForkHead(taskOfInput(options, prompt), options);
  const { name } = options.input.event;
  const byHand = name === 'workflow_dispatch' || options.repository === '';
  if (planned.refused !== undefined || planned.task === null || byHand) return planned;
  const no = await findPersonsNo(
    await options.github(),
    { repository: options.repository, branchPrefix: options.settings.branchPrefix },
    branchOf(planned.task, options.settings),
  );
  return no === null ? planned : { ...planned, refused: no };
}

/** Boxes that somebody without write access ticked are as if nobody had. */
async function tickedTasks(options: TriggerOptions, tick: Tick): Promise<readonly Planned[]> {
  const { repository, settings } = options;
  const where = { repository, allowedActors: settings.triggers };
  const may = await authorise(await options.github(), where, tick.author);
  if (may.allowed) return maintenanceTasks(options, tick.names);
  options.log(`The box was ticked by somebody who may not: ${may.reason}.`);
  return [quiet('NOT_AUTHORISED')];
}
