/** A webhook payload ► the request in it. Pure; the payload is untrusted data. */
import * as z from 'zod';
import { dashboardLabel, dashboardMarker, tickedTasks } from '../../../base/dashboard-state.ts';
import type { CodeLocation, CommandComment, Conversation } from '../../../base/task.ts';
import { findQueueMarker } from '../../../memory/queue.ts';
import { type Author, accountSchema } from '../api/github.ts';
import { findCommand, findLocation, ownMark, pointTo, readTriggerWords } from './find-command.ts';
import { isVerb, type Verb } from './verbs.ts';
import { declineEvent, type FailedWorkflow, parseWorkflowRun } from './workflow-run.ts';

/** An issue or pull request as the payload holds it, with its text at the moment of the event. */
export interface Thread {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: Author;
}

/** What somebody asks for on an issue or a pull request, not yet authorised. */
export interface ThreadRequest {
  /** `command`: a comment with a command. `label`, `assignment`: one was set. `review`: a job with mode review saw a new diff. */
  readonly kind: 'command' | 'label' | 'assignment' | 'review';
  /** The label that was set, or the login that was assigned; absent for others. */
  readonly name?: string;
  /** `unknown` when there is no such command; `text` is then the verb as typed. */
  readonly verb: Verb | 'unknown';
  /** The text behind the verb; empty without a comment. */
  readonly text: string;
  /** The model that the command chooses; absent for that of the settings. */
  readonly model?: string | undefined;
  readonly author: Author;
  /** Names the comment that is answered, if there is one. */
  readonly conversation: Conversation;
  /** Time of the event (ISO 8601), which the request is about; empty when the payload does not hold it. */
  readonly createdAt: string;
  readonly issue: Thread;
  /** Location of a review comment; undefined for others. */
  readonly place?: CodeLocation | undefined;
  /** Head of the pull request at the event; undefined when the payload does not hold it. */
  readonly headSha: string | undefined;
}

/** Something happened to a pull request, or to the base of several; it matters to those that are watched. */
export interface PullEvent {
  readonly kind: 'watched';
  readonly number?: number | undefined;
  /** The branch that moved. */
  readonly base?: string | undefined;
  /** Branches whose head got a result. */
  readonly heads?: readonly string[];
}

export type EventRequest =
  | { readonly kind: 'task'; readonly prompt: string }
  | { readonly kind: 'dispatch'; readonly prompt: string; readonly by: Author }
  | { readonly kind: 'schedule' }
  | Tick
  /** A pull request that shows changes of records was closed, with or without a merge. */
  | { readonly kind: 'records'; readonly number: number; readonly who: string }
  | { readonly kind: 'declined'; readonly reason: string }
  | ThreadRequest
  | FailedWorkflow
  | PullEvent;

const threadSchema = z.object({
  number: z.int().min(1),
  title: z.string(),
  body: z.string().nullish(),
  user: accountSchema,
  pull_request: z.unknown().optional(),
  head: z.object({ sha: z.string() }).optional(),
  updated_at: z.string().nullish(),
});

const line = z.int().min(1).nullish();

const commentSchema = z.object({
  id: z.int(),
  body: z.string(),
  user: accountSchema,
  created_at: z.string(),
  path: z.string().nullish(),
  line,
  start_line: line,
});

const commentEvent = z.object({ action: z.string(), comment: commentSchema, issue: threadSchema });
const reviewCommentEvent = z.object({
  action: z.string(),
  comment: commentSchema,
  pull_request: threadSchema,
});
const reviewEvent = z.object({
  action: z.string(),
  review: z.object({
    id: z.int(),
    body: z.string().nullish(),
    user: accountSchema,
    submitted_at: z.string().nullish(),
  }),
  pull_request: threadSchema,
});
const issueEvent = z.object({
  action: z.string(),
  issue: threadSchema,
  label: z.object({ name: z.string() }).nullish(),
  assignee: z.object({ login: z.string() }).nullish(),
  sender: accountSchema,
});
const dispatchEvent = z.object({
  client_payload: z.object({ task: z.string().min(1).max(20_000) }),
  sender: accountSchema,
});

const pullEvent = z.object({
  action: z.string(),
  sender: accountSchema,
  label: z.object({ name: z.string() }).nullish(),
  pull_request: threadSchema.extend({
    merged_by: z.object({ login: z.string() }).nullish(),
  }),
});
const diffEvent = pullEvent.extend({
  pull_request: threadSchema.extend({
    head: z.object({ sha: z.string() }),
    updated_at: z.string(),
  }),
});

const branches = 'refs/heads/';
const pushEvent = z.object({ ref: z.string(), deleted: z.boolean().optional() });
const suiteEvent = z.object({
  action: z.string(),
  check_suite: z.object({
    head_branch: z.string().nullish(),
    pull_requests: z.array(z.object({ number: z.int().min(1) })),
  }),
});
const statusEvent = z.object({
  state: z.string(),
  branches: z.array(z.object({ name: z.string() })),
});

interface ActionEvent {
  readonly name: string;
  readonly payload: unknown;
  /** The input `task`. If it is set, any event starts a run. */
  readonly taskInput: string;
  /** The input `mode`. With `review`, the job reviews the pull request of the event. */
  readonly mode?: string | undefined;
  /** The input `task-file`. If it is set, any event starts a run, too. */
  readonly 'task-file'?: string | undefined;
  /** The input `trigger-words`. */
  readonly 'trigger-words'?: string | undefined;
  /** The input `sarif`. If it is set, any event starts a run, too. */
  readonly sarif?: string | undefined;
}

/** The request of an event. Every other event is declined with a reason of one line. */
export function parseEvent(event: ActionEvent): EventRequest {
  if (event.taskInput.trim() !== '' || event['task-file']?.trim() || event.sarif?.trim())
    return { kind: 'task', prompt: event.taskInput.trim() };
  // a job that reviews does nothing else; its commands are served
  const words = readTriggerWords(event['trigger-words']);
  const isReview = event.mode?.trim() === 'review';
  if (isReview && !/^(?:pull_request|issue_comment)/.test(event.name)) return notServed(event.name);
  switch (event.name) {
    case 'schedule':
      return { kind: 'schedule' };
    case 'issue_comment':
      return read(event, commentEvent, ({ action, comment, issue }) =>
        parseComment({ action, comment, thread: issue, kind: 'issue', words }),
      );
    case 'pull_request_review_comment':
      return read(event, reviewCommentEvent, ({ action, comment, pull_request: thread }) =>
        parseComment({ action, comment, thread: asPull(thread), kind: 'review', words }),
      );
    case 'pull_request_review':
      return read(event, reviewEvent, data => parseReview(data, words));
    case 'issues':
      return parseTick(event.payload) ?? read(event, issueEvent, parseIssue);
    case 'repository_dispatch':
      return read(event, dispatchEvent, ({ client_payload: { task }, sender }) => ({
        kind: 'dispatch',
        prompt: task.trim(),
        by: sender,
      }));
    case 'workflow_run':
      return parseWorkflowRun(event.payload);
    case 'pull_request':
    case 'pull_request_target':
      if (isReview) return read(event, diffEvent, parsePullReview);
      return read(event, pullEvent, parsePull);
    case 'check_suite':
      return read(event, suiteEvent, parseSuite);
    case 'status':
      return read(event, statusEvent, ({ state, branches }) =>
        state === 'pending' || branches.length === 0
          ? declineEvent('the status is pending, or its commit is the head of no branch')
          : { kind: 'watched', heads: branches.map(branch => branch.name) },
      );
    case 'push':
      return read(event, pushEvent, ({ ref, deleted }) =>
        ref.startsWith(branches) && deleted !== true
          ? { kind: 'watched', base: ref.slice(branches.length) }
          : declineEvent('the push moved no branch'),
      );
    default:
      return notServed(event.name);
  }
}

function notServed(name: string): EventRequest {
  const shown = name.slice(0, 60) || '(none)';
  return declineEvent(`Photon does not serve the event ${shown}; set the input task to run on it`);
}

/** Actions after which the diff of a pull request is new to reviewers. */
const reviewed = /^(?:opened|reopened|synchronize|ready_for_review|labeled)$/;

function parsePullReview(event: z.infer<typeof diffEvent>): EventRequest {
  const { action, sender, pull_request: pull } = event;
  if (!reviewed.test(action))
    return declineEvent(`the pull request was ${action.slice(0, 40)}, which starts no review`);
  return { ...askFor(pull, sender), kind: 'review', verb: 'review' };
}

/** A label, a push, or the end of a pull request. One that carries the mark of changes of records settles them; each ends its watch. */
function parsePull({
  action,
  label,
  sender,
  pull_request: pull,
}: z.infer<typeof pullEvent>): EventRequest {
  const { number, body, merged_by: by } = pull;
  if (action === 'labeled' && label)
    return { ...askFor(asPull(pull), sender), kind: 'label', name: label.name };
  if (action === 'synchronize') return { kind: 'watched', number };
  if (action !== 'closed') return notServed('pull_request');
  if (findQueueMarker(body ?? '') === undefined) return { kind: 'watched', number };
  return { kind: 'records', number, who: by?.login ?? sender.login };
}

function parseSuite({ action, check_suite }: z.infer<typeof suiteEvent>): EventRequest {
  const { pull_requests: pulls, head_branch: head } = check_suite;
  if (action !== 'completed') return declineEvent('the checks have not ended');
  const [pull] = pulls;
  if (pull !== undefined) return { kind: 'watched', number: pull.number };
  return head ? { kind: 'watched', heads: [head] } : declineEvent('the checks belong to no branch');
}

/** A request to fix what an issue or pull request is about, without words and without a comment. */
function askFor(thread: z.infer<typeof threadSchema>, author: Author): Omit<ThreadRequest, 'kind'> {
  return {
    verb: 'fix',
    text: '',
    author,
    createdAt: thread.updated_at ?? '',
    conversation: findThread(thread),
    issue: makeThread(thread),
    headSha: thread.head?.sha,
  };
}

function findThread({ number, pull_request: pull, head }: z.infer<typeof threadSchema>) {
  const isPull = pull != null || head !== undefined;
  return { kind: isPull ? 'pull-request' : 'issue', number } as const;
}

function read<T>(
  event: ActionEvent,
  schema: z.ZodType<T>,
  serve: (data: T) => EventRequest,
): EventRequest {
  const parsed = schema.safeParse(event.payload);
  return parsed.success
    ? serve(parsed.data)
    : declineEvent(`the payload of ${event.name} lacks a field that Photon needs`);
}

function parseReview(event: z.infer<typeof reviewEvent>, words: readonly string[]): EventRequest {
  const { id, body, user, submitted_at: at } = event.review;
  return parseComment({
    action: event.action === 'submitted' ? 'created' : event.action,
    // the commit of the review, and not its time, says what it is about
    comment: { id, body: body ?? '', user, created_at: at ?? '' },
    thread: asPull(event.pull_request),
    kind: 'review-body',
    words,
  });
}

function parseIssue(event: z.infer<typeof issueEvent>): EventRequest {
  const { action, issue, label, assignee, sender } = event;
  if (action === 'labeled' && label)
    return { ...askFor(issue, sender), kind: 'label', name: label.name };
  if (action === 'assigned' && assignee)
    return { ...askFor(issue, sender), kind: 'assignment', name: assignee.login };
  return declineEvent(`the issue was ${action.slice(0, 40)}, which starts no run`);
}

/** A pull request in the form in which the payload of a comment names one. */
const asPull = <T extends object>(pull: T) => ({ ...pull, pull_request: {} });

function makeThread({ number, title, body, user }: z.infer<typeof threadSchema>): Thread {
  return { number, title, body: body ?? '', author: user };
}

interface CommentEvent {
  readonly action: string;
  readonly comment: z.infer<typeof commentSchema>;
  readonly thread: z.infer<typeof threadSchema>;
  readonly kind: CommandComment['kind'];
  /** Words that give commands besides `/photon`. */
  readonly words: readonly string[];
}

function parseComment({ action, comment, thread, kind, words }: CommentEvent): EventRequest {
  if (action !== 'created')
    return declineEvent(
      `the comment was ${action.slice(0, 40)}, and only new comments start a run`,
    );
  const command = findCommand(comment.body, words);
  if (command === undefined) return declineEvent('the comment holds no /photon command');
  if (ownMark.test(comment.body)) return declineEvent('the comment is from Photon itself');
  const { verb, text } = isVerb(command.verb)
    ? { verb: command.verb, text: command.text }
    : { verb: 'unknown' as const, text: command.verb };
  return {
    kind: 'command',
    verb,
    text,
    model: command.model,
    author: comment.user,
    createdAt: comment.created_at,
    conversation: { ...findThread(thread), comment: pointTo({ ...comment, kind }) },
    issue: makeThread(thread),
    place: findLocation(comment),
    headSha: thread.head?.sha,
  };
}

const tickSchema = z.object({
  action: z.literal('edited'),
  issue: z.object({
    number: z.int().min(1),
    body: z.string(),
    labels: z.array(z.object({ name: z.string() })),
  }),
  changes: z.object({ body: z.object({ from: z.string() }) }),
  sender: accountSchema,
});

/** The ticked boxes and the person who ticked them, not yet authorised. */
export interface Tick {
  readonly kind: 'tick';
  readonly names: readonly string[];
  readonly author: Author;
}

/** The boxes that this edit ticked; undefined when it edits no dashboard or ticks no box. */
export function parseTick(payload: unknown): Tick | undefined {
  const tick = tickSchema.safeParse(payload).data;
  if (tick === undefined) return undefined;
  const { issue, changes, sender } = tick;
  const ours =
    issue.body.includes(dashboardMarker) && issue.labels.some(l => l.name === dashboardLabel);
  const before = new Set(tickedTasks(changes.body.from));
  const names = tickedTasks(issue.body).filter(name => ours && !before.has(name));
  return names.length === 0 ? undefined : { kind: 'tick', names, author: sender };
}
