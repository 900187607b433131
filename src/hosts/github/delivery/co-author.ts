/** The commit trailer for the person who asked for the task. */
import type { Task } from '../../../base/task.ts';

/** A GitHub login, also that of an app. */
const login = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}(?:\[bot\])?$/i;

interface Payload {
  readonly sender?: { readonly login?: unknown; readonly id?: unknown };
  readonly comment?: { readonly user?: Payload['sender'] };
}

/**
 * `Co-authored-by:` with the account's noreply address. Empty when the event does not hold the
 * account's id: without the id the line could name another account.
 */
export function coAuthorOf(task: Pick<Task, 'askedBy'>, payload: unknown): string {
  const { sender, comment } = (payload ?? {}) as Payload;
  const found = [comment?.user, sender].find(p => p?.login === task.askedBy);
  if (typeof found?.id !== 'number' || !Number.isSafeInteger(found.id)) return '';
  if (task.askedBy.endsWith('[bot]') || !login.test(task.askedBy)) return '';
  return `Co-authored-by: ${task.askedBy} <${found.id}+${task.askedBy}@users.noreply.github.com>`;
}
