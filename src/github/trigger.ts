/** What started this process ► the tasks to run, or why there is none. */
import { createHash } from 'node:crypto';
import type { MemoryPlace, RunInput } from '../agent/run-input.ts';
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
import { type SettleRequest, settleRecords } from './settle-records.ts';

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
  readonly memory: () => Promise<MemoryPlace | null>;
  readonly input: Pick<RunInput, 'now'>;
}

/** Resolves a request; people without write access get no task and no answer. */
export async function resolveTasks(options: TriggerOptions): Promise<readonly Planned[]> {
  switch (options.request.kind) {
    case 'task':
      return [{ task: taskOfInput(options, options.request.prompt) }];
    case 'schedule':
      return maintenanceTasks(options);
    case 'records': {
      const { number, who } = options.request;
      const settled = await settle(options, { number, who, cause: 'closed' });
      return [settled.tell ? settled.planned : { ...settled.planned, task: null }];
    }
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
  if (command.verb === 'accept') return acceptRecords(options, command);
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

/** `/photon accept` on a pull request: what it shows of record changes is kept now. */
async function acceptRecords(options: TriggerOptions, command: Command): Promise<Planned> {
  const { conversation, author } = command;
  const request = { number: conversation.number, who: author.login, cause: 'accept' } as const;
  const { planned } = await settle(options, request);
  return { ...planned, task: planned.task && { ...planned.task, conversation } };
}

/** Settles what waits, as a task that has ended before it began. */
async function settle(
  options: TriggerOptions,
  request: SettleRequest,
): Promise<{ readonly planned: Planned; readonly tell: boolean }> {
  const { github, repository, baseRef, input } = options;
  const { number, who } = request;
  const task: Task = {
    ...{ id: `records-${number}`, trigger: 'comment', prompt: '', context: [], askedBy: who },
    ...{ repository, baseRef, hiddenRemoved: 0, conversation: { kind: 'pull-request', number } },
  };
  const place = await options.memory();
  const closing = { github, repository, now: input.now };
  const { code, message, tell } =
    place === null
      ? { code: 'RECORDS_NONE' as const, message: 'Memory is off.', tell: false }
      : await settleRecords({ ...closing, shelf: place.shelf, home: place.home }, request);
  return { tell, planned: { task, refused: { status: 'no_change', code, message } } };
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
