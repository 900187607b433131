/** The log of one task: in a group when it runs alone, each line with its name when others run beside it. */
import type { RunLog } from '../agent/run/run-input.ts';

export interface TaskLogOptions {
  readonly id: string;
  readonly title: string;
  readonly alone: boolean;
}

/** Each task blanks its own secrets, since what another one hides takes the place of what this one did. */
export function taskLog(log: RunLog, { id, title, alone }: TaskLogOptions): RunLog {
  let redact = (text: string) => text;
  const hide: RunLog['hide'] = how => {
    redact = how;
    log.hide(how);
  };
  if (alone) log.group(title);
  else log.line(`${id}: begins`);
  const line = (text: string) => log.line(redact(alone ? text : `${id}: ${text}`));
  const group = (text: string) => {
    if (alone) log.group(redact(text));
    else if (text !== '') line(text);
  };
  return { line, group, hide };
}
