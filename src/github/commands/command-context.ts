/** What every command of a comment is served with. */
import type { GitHub } from '../api/github.ts';
import type { CommandOptions } from '../events/command-task.ts';
import type { CommentCommand } from '../events/event.ts';
import type { TaskGround } from '../events/planned-task.ts';

/** What every command is served with. */
export interface Serving {
  readonly github: GitHub;
  readonly ground: TaskGround;
  readonly command: CommentCommand;
  readonly making: CommandOptions;
}
