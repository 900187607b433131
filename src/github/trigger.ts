/** What started this process ► the tasks to run, or why there is none. */
import type { Code } from '../codes.ts';
import { removeHiddenText } from '../guard/hidden-text.ts';
import type { Settings } from '../settings.ts';
import type { Task } from '../task.ts';
import { branchOf } from './branch-of.ts';
import { taskId, untilOf } from './command-task.ts';
import { findPersonsNo } from './commands/look-first.ts';
import { serveCommand } from './commands/serve-command.ts';
import type { EventRequest } from './event.ts';
import { type Planned, quiet, refused, type TaskGround } from './planned.ts';
import { findOpenPullRequest, isOwnHead } from './publish.ts';
import { serveDispatch } from './triggers/dispatch.ts';
import { withEarlierPatch } from './triggers/earlier-patch.ts';
import { serveFailedWorkflow } from './triggers/failed-workflow.ts';
import { serveIssue } from './triggers/issue.ts';
import { withForkHead } from './triggers/task-on-pull.ts';

export { branchOf } from './branch-of.ts';
export type { Planned } from './planned.ts';

export interface TriggerOptions extends TaskGround {
  readonly request: Exclude<EventRequest, { kind: 'declined' }>;
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
function missingModel({ model, apiKey }: Settings): Code | null {
  if (model === '') return 'MODEL_MISSING';
  return apiKey === '' ? 'API_KEY_MISSING' : null;
}

async function tasksOf(options: TriggerOptions): Promise<readonly Planned[]> {
  const { request } = options;
  switch (request.kind) {
    case 'task':
      return [await inputTask(options, request.prompt)];
    case 'dispatch':
      return [await serveDispatch(options, request, taskOfInput(options, request.prompt))];
    case 'schedule':
      return maintenanceTasks(options);
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

function taskOfInput(options: TriggerOptions, prompt: string): Task {
  const clean = removeHiddenText(prompt);
  // at a terminal whoever asks sees the patch before it is applied
  const local = options.repository === '';
  const until = local ? null : untilOf({ verb: 'fix' }, options.settings.triggers);
  return {
    id: taskId('task', `${options.baseRef}\0${prompt}`),
    trigger: 'task',
    prompt: clean.text,
    context: [],
    askedBy: options.askedBy,
    repository: options.repository,
    baseRef: options.baseRef,
    hiddenRemoved: clean.removed,
    ...(until === null ? {} : { until }),
  };
}

async function maintenanceTasks(options: TriggerOptions): Promise<readonly Planned[]> {
  if (options.settings.maintenance.length === 0) return [quiet('NO_MAINTENANCE')];
  const planned: Planned[] = [];
  for (const { name, prompt } of options.settings.maintenance) {
    const task: Task = {
      ...taskOfInput(options, prompt),
      id: name,
      trigger: 'schedule',
      askedBy: 'schedule',
      maintenance: name,
    };
    planned.push(await unlessOpen(options, task));
  }
  return planned;
}

/** A task whose last pull request is open, with nothing of a person's on it, is left alone. */
async function unlessOpen(options: TriggerOptions, task: Task): Promise<Planned> {
  const github = await options.github();
  const pull = await findOpenPullRequest(
    github,
    options.repository,
    branchOf(task, options.settings),
  );
  if (
    pull === null ||
    !(await isOwnHead(github, options.repository, { sha: pull.head.sha, taskId: task.id }))
  )
    return { task };
  const message = `Pull request #${pull.number} of this task is still open.`;
  return { task, refused: { status: 'no_change', code: 'PULL_REQUEST_OPEN', message } };
}
