/** What people say to a run at work: one poll of its conversation finds the order to stop, and words for its task. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PhotonError } from '../../../base/codes.ts';
import { readOutside } from '../../../guard/content/outside-text.ts';
import type { Attendance, AttendedRun, PersonMessage } from '../../host.ts';
import { formatMessage } from '../api/github-errors.ts';
import { authorise } from '../auth/access.ts';
import type { GitHubEnvironment } from '../auth/repository-context.ts';
import type { ThreadRequest } from '../parse/event.ts';
import { findCommand } from '../parse/find-command.ts';
import { type CommentReply, isOwn, listAllComments, requestMark } from './comment.ts';
import { pastComment } from './past-comment.ts';

/** Milliseconds between two polls: at most 240 of the 1,000 requests that a workflow's token has in an hour. */
const pollMs = 30_000;
/** Most characters of one text, and most texts of one run, that are added to its task. */
const maxWords = 4_000;
const maxTexts = 10;

interface InboxMessage extends PersonMessage {
  /** Id of the comment. */
  readonly id: number;
  /** True for a command, which has a job of its own that waits. */
  readonly isCommand: boolean;
  /** `waits` also for words that are not added: they are too long, or there are too many. */
  state: 'new' | 'taken' | 'waits';
}

export interface Inbox extends Required<Pick<Attendance, 'takeMessages'>> {
  /** Settles after the first poll. It never rejects. */
  readonly first: Promise<void>;
  /** Ids of the comments that this run has taken in, in a hidden mark; empty without any. */
  mark(): string;
  /** Ends the polls: what people say from now on is left to the next run. */
  close(): Promise<void>;
}

/**
 * Polls the conversation of a run from its start to its delivery. People who may give commands can stop it and add to
 * its task; what others write is left out. Undefined without a conversation.
 * @param show gets the lines about what they said, whenever these change.
 */
export function openInbox(
  environment: GitHubEnvironment,
  run: AttendedRun,
  show: (lines: readonly string[]) => void,
): Inbox | undefined {
  const { task, note, stop } = run;
  if (task.conversation === undefined || !run.mode.showsProgress) return undefined;
  const { conversation } = task;
  const { input, log } = environment;
  const end = new AbortController();
  const judged = new Set<number>();
  const messages: InboxMessage[] = [];
  const since = readStart(environment);
  const began =
    Number(input.env.GITHUB_RUN_ATTEMPT ?? 1) > 1 ? new Date(input.now()).toISOString() : since;
  const marker = requestMark(input, run.id);

  async function poll(): Promise<void> {
    const { github } = environment;
    const signal = AbortSignal.any([github.signal, end.signal]);
    const self = await github.self();
    const { words } = environment.settings.triggers;
    const listed = await listAllComments(github, { ...conversation, since, signal });
    const progress = listed.findLast(c => isOwn(c, self) && c.body?.includes(marker));
    for (const each of listed) {
      const comment = pastComment(each, 'issue');
      if (comment === undefined || judged.has(each.id) || comment.createdAt < since) continue;
      if (comment.id === conversation.comment?.id || comment.id === startedBy(input)) continue;
      const found = findWords(comment.body, { progress, parent: each.in_reply_to_id, words });
      // what ended the first try of this job does not end a second one
      if (found?.verb === 'stop' && comment.createdAt < began) continue;
      if (found !== undefined && (await authorise(environment, comment.author)).allowed)
        take(found, { id: each.id, by: comment.author.login, url: each.html_url });
      judged.add(each.id);
    }
  }

  function take(found: FoundWords, from: Pick<InboxMessage, 'id' | 'by' | 'url'>): void {
    const { text, removed } = readOutside('comment', found.text);
    const fits = text.length <= maxWords && messages.length < maxTexts;
    const isAdded = found.verb !== 'stop' && run.changes && task.until === undefined && fits;
    const isCommand = found.verb !== undefined;
    const state = found.verb === 'stop' ? 'taken' : isAdded ? 'new' : 'waits';
    messages.push({ ...from, text: text.trim(), hidden: removed, isCommand, state });
    if (found.verb === 'stop')
      stop(new PhotonError('STOPPED_BY_PERSON', `${from.by} stopped the run.`));
    else show(messages.map(describe));
  }

  /** Tries a second time: a reply that breaks once must not hide an order to stop until the next poll. */
  async function look(): Promise<void> {
    try {
      await poll().catch(poll);
    } catch (error) {
      if (!end.signal.aborted)
        log(`GitHub: Photon cannot read what people say: ${formatMessage(error)}`);
    }
  }

  async function goOn(): Promise<void> {
    const ms = Number(input.env.PHOTON_POLL_MS ?? pollMs);
    while (!end.signal.aborted) {
      await sleep(ms, undefined, { signal: end.signal, ref: false }).catch(() => {});
      if (!end.signal.aborted) await look();
    }
  }

  const first = look();
  const work = first.then(goOn);
  return {
    first,
    takeMessages: () => {
      const fresh = messages.filter(h => h.state === 'new');
      for (const each of fresh) {
        each.state = 'taken';
        note(`${each.by} added to the task: ${each.url}`);
      }
      return fresh;
    },
    mark: () => {
      const ids = messages.filter(h => h.state === 'taken').map(h => h.id);
      return ids.length === 0 ? '' : `<!-- photon:taken=${ids.join(' ')} -->`;
    },
    close: async () => {
      if (end.signal.aborted) return;
      end.abort();
      await work;
      for (const { by, url, state, isCommand } of messages)
        if (state !== 'taken' && !isCommand)
          note(`What ${by} wrote came too late, or was too long, for this run: ${url}`);
    },
  };
}

function describe({ by, url, isCommand, state }: InboxMessage): string {
  if (state !== 'waits') return `Added to the task by ${by}: ${url}`;
  return isCommand
    ? `The command of ${by} waits until this run has ended: ${url}`
    : `What ${by} wrote cannot be added to this run: ${url}`;
}

type EventInput = GitHubEnvironment['input'];

/** The comment whose event started this process. */
function startedBy({ event }: EventInput): unknown {
  return (event.payload as { comment?: { id?: unknown } } | null)?.comment?.id;
}

/** The time from which people speak to this run: that of the comment that started it, or now (ISO 8601). */
function readStart({ input }: GitHubEnvironment): string {
  const { comment } = (input.event.payload ?? {}) as { comment?: { created_at?: unknown } };
  const at = comment?.created_at;
  return typeof at === 'string' ? at : new Date(input.now()).toISOString();
}

interface FoundWords {
  /** Undefined for a reply. */
  readonly verb: 'stop' | 'fix' | undefined;
  readonly text: string;
}

/** Photon's progress comment, as far as a reply is found by it. */
interface Progress {
  readonly body?: string | undefined;
  readonly in_reply_to_id?: number | undefined;
}

/** What is known of where a comment stands. */
interface Where {
  readonly progress: Progress | undefined;
  readonly parent: number | undefined;
  /** Words that give commands besides `/photon`. */
  readonly words: readonly string[];
}

/**
 * What a comment says to the run at work: a command, or a reply to the progress comment, which quotes it or stands in its
 * review thread.
 */
function findWords(body: string, { progress, parent, words }: Where): FoundWords | undefined {
  const command = findCommand(body, words);
  if (command?.verb === 'stop' || command?.verb === 'fix')
    return { verb: command.verb, text: command.text };
  if (command !== undefined || progress === undefined) return undefined;
  const lines = body.split(/\r\n?|\n/);
  const shown = letters(progress.body ?? '');
  const quotes = lines.filter(l => /^ {0,3}>/.test(l)).map(letters);
  const inThread = parent !== undefined && parent === progress.in_reply_to_id;
  if (!inThread && !quotes.some(q => q.length >= minQuoted && shown.includes(q))) return undefined;
  const text = withoutQuotes(body);
  return text.trim() === '' ? undefined : { verb: undefined, text };
}

/** The lines of a comment that quote nothing. */
export function withoutQuotes(body: string): string {
  return body
    .split(/\r\n?|\n/)
    .filter(line => !/^ {0,3}>/.test(line))
    .join('\n');
}

/** Fewest letters of a quoted line that identify the progress comment. */
const minQuoted = 10;

const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

const taken = /<!-- photon:taken=((?:\d{1,18} ?)+) -->/;

/** Ids of the comments that earlier runs took in, as Photon's own comments say. */
export function listTaken(
  comments: readonly CommentReply[],
  self: string | undefined,
): ReadonlySet<number> {
  const marks = comments.filter(c => isOwn(c, self)).map(c => taken.exec(c.body ?? '')?.[1] ?? '');
  return new Set(marks.flatMap(mark => mark.split(' ').filter(Boolean).map(Number)));
}

/**
 * True if an earlier run took in this command while it was at work, as Photon's own comments say. Where GitHub does not
 * show them, the command counts as not taken in: none is lost.
 */
export async function wasTaken(
  environment: Pick<GitHubEnvironment, 'github' | 'log'>,
  { conversation, createdAt: since }: ThreadRequest,
): Promise<boolean> {
  const { comment } = conversation;
  if (comment === undefined) return false;
  try {
    const { github } = environment;
    const self = await github.self();
    const about = { ...conversation, since };
    const comments = await listAllComments(github, about);
    return listTaken(comments, self).has(comment.id);
  } catch (error) {
    environment.log(
      `GitHub: Photon cannot read whether a run has taken this command in: ${formatMessage(error)}`,
    );
    return false;
  }
}
