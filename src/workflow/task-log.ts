/** Makes the log of one task: a group when it runs alone, prefixed lines when others run in parallel. */
import type { RunLog } from '../hosts/host.ts';

export interface TaskLogOptions {
  readonly id: string;
  readonly title: string;
  readonly alone: boolean;
}

/** Each task redacts its own secrets, because a parallel task replaces the redaction of the shared log. */
export function taskLog(log: RunLog, { id, title, alone }: TaskLogOptions): RunLog {
  let redact = (text: string) => text;
  const hide: RunLog['hide'] = how => {
    redact = how;
    log.hide(how);
  };
  if (alone) log.group(title);
  else log.line(`${id}: started`);
  const line = (text: string) => log.line(redact(alone ? text : `${id}: ${text}`));
  const group = (text: string) => {
    if (alone) log.group(redact(text));
    else if (text !== '') line(text);
  };
  return { line, group, hide, mask: log.mask };
}
