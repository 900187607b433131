/** What started this process ► the tasks to run, or why there is none. */
import { createHash } from 'node:crypto';
import { type Code, codes } from '../codes.ts';
import { removeHiddenText } from '../guard/hidden-text.ts';
import type { Status } from '../outcome.ts';
import type { Settings } from '../settings.ts';
import type { Task } from '../task.ts';
import { resumeCommand } from './answer.ts';
import { authorise } from './authorise.ts';
import type { GitHub } from './client.ts';
import { type CommandOptions, taskId, taskOfCommand } from './command-task.ts';
import { acknowledge } from './comment.ts';
import type { Command, EventRequest } from './event.ts';
import { findOpenPullRequest, isOwnHead } from './publish.ts';

/** A task, or one that has ended before it began. */
export interface Planned {
  readonly task: Task | null;
  readonly refused?: { readonly status: Status; readonly code: Code; readonly message: string };
}

export interface TriggerOptions {
  readonly request: Exclude<EventRequest, { kind: 'declined' }>;
  readonly settings: Settings;
  readonly repository: string;
  /** Branch that results go to unless a setting or a pull request says otherwise. */
  readonly baseRef: string;
  readonly askedBy: string;
  readonly baseCommit: string;
  readonly github: () => Promise<GitHub>;
  readonly log: (line: string) => void;
}

/** Resolves a request; people without write access get no task and no answer. */
export async function resolveTasks(options: TriggerOptions): Promise<readonly Planned[]> {
  switch (options.request.kind) {
    case 'task':
      return [{ task: taskOfInput(options, options.request.prompt) }];
    case 'schedule':
      return maintenanceTasks(options);
    case 'command':
      return [await commandTask(options, options.request)];
  }
}

function taskOfInput(options: TriggerOptions, prompt: string): Task {
  const clean = removeHiddenText(prompt);
  return {
    id: taskId('task', `${options.baseRef}\0${prompt}`),
    trigger: 'task',
    prompt: clean.text,
    context: [],
    askedBy: options.askedBy,
    repository: options.repository,
    baseRef: options.baseRef,
    hiddenRemoved: clean.removed,
  };
}

async function commandTask(options: TriggerOptions, command: Command): Promise<Planned> {
  const github = await options.github();
  const authorisation = await authorise(github, options.repository, command.author);
  if (!authorisation.allowed) {
    options.log(`The command is by somebody who may not give it: ${authorisation.reason}.`);
    return quiet('NOT_AUTHORISED');
  }
  await acknowledge(github, options.repository, command.conversation);
  const { settings, repository, baseRef } = options;
  const making = {
    ...{ repository, baseRef, clean: removeHiddenText },
    untrustedText: settings.untrustedText,
  };
  if (command.verb === 'answer') return answeredTask(github, command, making);
  const answer = await taskOfCommand(github, command, making);
  return answer.refused === undefined
    ? { task: answer.task }
    : { task: answer.task, refused: answer.refused };
}

/** The interrupted task again, with the answer; it keeps its id, and so its branch and comment. */
async function answeredTask(
  github: GitHub,
  command: Command,
  making: CommandOptions,
): Promise<Planned> {
  const answer = await resumeCommand(github, making.repository, command);
  if (!answer.ok) {
    const { task } = await taskOfCommand(github, command, making);
    const { code } = answer;
    return { task, refused: { status: 'abstained', code, message: codes[code].meaning } };
  }
  const { resumed } = answer;
  const made = await taskOfCommand(github, resumed.command, { ...making, resumed });
  return made.refused === undefined ? { task: made.task } : made;
}

function quiet(code: Code): Planned {
  return { task: null, refused: { status: 'no_change', code, message: codes[code].meaning } };
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

/** `photon/<task id>`: the same task has the same branch. */
export function branchOf(task: Task, settings: Pick<Settings, 'branchPrefix'>): string {
  const id = /^[a-z0-9-]{1,60}$/.test(task.id)
    ? task.id
    : createHash('sha256').update(task.id).digest('hex').slice(0, 16);
  return `${settings.branchPrefix}${id}`;
}
