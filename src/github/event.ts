/** A webhook payload ► what it asks for. Pure; the payload is foreign data. */
import * as z from 'zod';
import { findQueueMarker } from '../memory/queue.ts';
import type { Conversation } from '../task.ts';

export interface Author {
  readonly login: string;
  readonly id: number;
  readonly type: string;
}

/** A command in a comment, not yet authorised. */
export interface Command {
  readonly kind: 'command';
  readonly verb: 'fix' | 'answer' | 'accept';
  readonly words: string;
  readonly author: Author;
  readonly conversation: Conversation;
  /** When the comment was made (ISO 8601): the pull request's head is pinned to this moment. */
  readonly createdAt: string;
  readonly issue: { readonly title: string; readonly body: string; readonly author: Author };
  /** File and line that a review comment stands at. */
  readonly place: string;
}

export type EventRequest =
  | { readonly kind: 'task'; readonly prompt: string }
  | Command
  | { readonly kind: 'schedule' }
  /** A pull request that shows record changes was closed, merged or not. */
  | { readonly kind: 'records'; readonly number: number; readonly who: string }
  | { readonly kind: 'declined'; readonly reason: string };

const userSchema = z.object({ login: z.string(), id: z.number(), type: z.string() });

const threadSchema = z.object({
  number: z.int().min(1),
  title: z.string(),
  body: z.string().nullish(),
  user: userSchema,
  pull_request: z.unknown().optional(),
});

const commentSchema = z.object({
  id: z.int(),
  body: z.string(),
  user: userSchema,
  created_at: z.string(),
  path: z.string().optional(),
  line: z.int().nullish(),
});

const commentEvent = z.object({ action: z.string(), comment: commentSchema, issue: threadSchema });
const reviewEvent = z.object({
  action: z.string(),
  comment: commentSchema,
  pull_request: threadSchema,
});

const closedEvent = z.object({
  action: z.string(),
  sender: userSchema.optional(),
  pull_request: threadSchema.extend({ merged_by: userSchema.nullish() }),
});

export interface ActionEvent {
  readonly name: string;
  readonly payload: unknown;
  /** The `task` input; when it is given, any event starts a run. */
  readonly taskInput: string;
}

/** What an event asks for; everything that is not served is declined with one line. */
export function parseEvent(event: ActionEvent): EventRequest {
  if (event.taskInput.trim() !== '') return { kind: 'task', prompt: event.taskInput.trim() };
  switch (event.name) {
    case 'schedule':
      return { kind: 'schedule' };
    case 'issue_comment': {
      const parsed = commentEvent.safeParse(event.payload);
      return parsed.success ? parseComment(parsed.data, 'issue') : unreadable(event.name);
    }
    case 'pull_request_review_comment': {
      const parsed = reviewEvent.safeParse(event.payload);
      if (!parsed.success) return unreadable(event.name);
      const { action, comment, pull_request: thread } = parsed.data;
      return parseComment({ action, comment, issue: { ...thread, pull_request: {} } }, 'review');
    }
    case 'pull_request':
    case 'pull_request_target':
      return parseClosed(event);
    default:
      return notServed(event.name);
  }
}

function notServed(name: string): EventRequest {
  const shown = name.slice(0, 60) || '(none)';
  return declined(`the event ${shown} asks nothing of Photon; give the input task to run on it`);
}

/** Only the end of a pull request that carries the mark of record changes is Photon's business. */
function parseClosed({ name, payload }: ActionEvent): EventRequest {
  const parsed = closedEvent.safeParse(payload);
  if (!parsed.success || parsed.data.action !== 'closed') return notServed(name);
  const { pull_request: pull, sender } = parsed.data;
  if (findQueueMarker(pull.body ?? '') === null)
    return declined('the closed pull request carries no record changes');
  const who = pull.merged_by?.login ?? sender?.login ?? 'nobody';
  return { kind: 'records', number: pull.number, who };
}

function parseComment(event: z.infer<typeof commentEvent>, kind: 'issue' | 'review'): EventRequest {
  const { action, comment, issue } = event;
  if (action !== 'created')
    return declined(`the comment was ${action.slice(0, 40)}, only new comments start a run`);
  const command = findCommand(comment.body);
  if (command === null) return declined('the comment holds no /photon command');
  if (comment.user.type !== 'User' || comment.user.login.endsWith('[bot]'))
    return declined('the comment is not by a person');
  const { verb } = command;
  if (verb === 'accept' && issue.pull_request == null)
    return declined('/photon accept belongs on the pull request that shows the record changes');
  if (verb !== 'fix' && verb !== 'answer' && verb !== 'accept')
    return declined(
      `/photon ${verb.slice(0, 40)} is not known; use /photon fix <words> or /photon answer <words>`,
    );
  return {
    kind: 'command',
    verb,
    words: command.words,
    author: comment.user,
    createdAt: comment.created_at,
    conversation: {
      kind:
        issue.pull_request === undefined || issue.pull_request === null ? 'issue' : 'pull-request',
      number: issue.number,
      commentId: comment.id,
      commentKind: kind,
    },
    issue: { title: issue.title, body: issue.body ?? '', author: issue.user },
    place:
      comment.path === undefined ? '' : `${comment.path}${comment.line ? `:${comment.line}` : ''}`,
  };
}

/** The first `/photon` at the start of a line outside fences and quotes; its words go to the end. */
export function findCommand(body: string): { verb: string; words: string } | null {
  const lines = body.slice(0, 100_000).replace(/\r\n?/g, '\n').split('\n');
  let fence = '';
  for (const [i, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence) && line.trim() === mark) fence = '';
      continue;
    }
    if (mark !== '') {
      fence = mark;
      continue;
    }
    const found = /^\/photon(?:\s+(\S+))?(?:[ \t]+(.*))?$/.exec(line);
    if (found === null) continue;
    const rest = lines.slice(i + 1).join('\n');
    return { verb: found[1] ?? 'help', words: `${found[2] ?? ''}\n${rest}`.trim() };
  }
  return null;
}

function declined(reason: string): EventRequest {
  return { kind: 'declined', reason };
}

function unreadable(name: string): EventRequest {
  return declined(`the payload of ${name} does not hold what a comment event holds`);
}
