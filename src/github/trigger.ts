/** What started this process ► the tasks to run, or why there is none. */
import { type Code, codes } from '../codes.ts';
import { removeHiddenText } from '../guard/hidden-text.ts';
import { resumeCommand } from './answer.ts';
import { authorise } from './authorise.ts';
import type { GitHub } from './client.ts';
import { type CommandOptions, taskOfCommand } from './command-task.ts';
import { acknowledge } from './comment.ts';
import type { Command } from './event.ts';
import { taskOfRow } from './maintenance/row-task.ts';
import { maintenanceTasks } from './maintenance/tasks.ts';
import type { Tick } from './maintenance/tick.ts';
import { type Planned, type TriggerOptions, taskOfInput } from './planned.ts';

/** Resolves a request; people without write access get no task and no answer. */
export async function resolveTasks(options: TriggerOptions): Promise<readonly Planned[]> {
  if (options.row !== null) return [{ task: taskOfRow(options, options.row) }];
  switch (options.request.kind) {
    case 'task':
      return [{ task: taskOfInput(options, options.request.prompt) }];
    case 'schedule':
      return maintenanceTasks(options, 'due');
    case 'tick':
      return tickedTasks(options, options.request);
    case 'command':
      return [await commandTask(options, options.request)];
  }
}

/** Boxes that somebody without write access ticked are as if nobody had. */
async function tickedTasks(options: TriggerOptions, tick: Tick): Promise<readonly Planned[]> {
  const may = await authorise(await options.github(), options.repository, tick.author);
  if (may.allowed) return maintenanceTasks(options, tick.names);
  options.log(`The box was ticked by somebody who may not: ${may.reason}.`);
  return [quiet('NOT_AUTHORISED')];
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
