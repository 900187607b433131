/** Who asked, as a trailer of the commit. */
import type { Task } from '../../task.ts';

/** A login as GitHub gives them, an app's included; anything else names nobody. */
const login = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}(?:\[bot\])?$/i;

interface Payload {
  readonly sender?: { readonly login?: unknown; readonly id?: unknown };
  readonly comment?: { readonly user?: Payload['sender'] };
}

/**
 * `Co-authored-by:` with the address that GitHub gives every account, or an empty string where the
 * account's number is not in the event: without it the line would name somebody else.
 */
export function coAuthorOf(task: Pick<Task, 'askedBy'>, payload: unknown): string {
  const { sender, comment } = (payload ?? {}) as Payload;
  const found = [comment?.user, sender].find(p => p?.login === task.askedBy);
  if (typeof found?.id !== 'number' || !Number.isSafeInteger(found.id)) return '';
  if (task.askedBy.endsWith('[bot]') || !login.test(task.askedBy)) return '';
  return `Co-authored-by: ${task.askedBy} <${found.id}+${task.askedBy}@users.noreply.github.com>`;
}
