/** Comments on issues and pull requests, posted once and updated in place, and reactions. */
import type { Conversation } from '../../../base/task.ts';
import type { RunInput } from '../../host.ts';
import { type Author, type GitHub, noRetry, readPages } from '../api/github.ts';
import { allowMissing, formatMessage } from '../api/github-errors.ts';
import { pause } from '../api/request-limit.ts';

interface CommentRequest {
  readonly conversation: Conversation;
  readonly body: string;
  /** Hidden mark that identifies the comment; it is added at the end of the body. */
  readonly marker: string;
  /** Ends the requests earlier than the client's own signal does. */
  readonly signal?: AbortSignal;
}

/**
 * Posts a comment, or updates the one that carries the mark and was written by a bot or by the token's
 * user. Anybody can write a mark, so it proves nothing alone. If GitHub refuses the update, the comment
 * belongs to somebody else, and a new comment is posted.
 * @throws PhotonError `GITHUB_*`.
 */
export async function postComment(
  github: GitHub,
  request: CommentRequest,
): Promise<CommentReference & { place: CommentApi }> {
  const place = await placeOfAnswer(github, request.conversation);
  const key = makeKey(github, request);
  const own = github.posted.get(key) ?? (await findOwn(github, place, request))?.id;
  const updated = own === undefined ? undefined : await update(place, request, own);
  if (updated !== undefined) return { ...updated, place };
  const created = await github.createOnce(
    () => place.create(addMarker(request), requestOptions(request, noRetry.request)),
    async () => {
      const found = await findOwn(github, place, request);
      return found === undefined ? undefined : { id: found.id, url: '' };
    },
  );
  github.posted.set(key, created.id);
  return { ...created, place };
}

/** Waits before a comment is read again, in spacings of a second: together ten, since GitHub ends each request after ten seconds. */
const lateWaits = [1, 3, 6] as const;

/**
 * Keeps a comment as it was written last, where GitHub may still carry out an earlier update that was given up: the
 * comments with the mark are read until none can come any more, and one with another text is written again.
 * @param spacingMs one spacing of requests, in milliseconds.
 * @throws PhotonError `GITHUB_*`; the reason of the client's signal.
 */
export async function keepComment(
  github: GitHub,
  request: CommentRequest,
  spacingMs: number,
): Promise<void> {
  const place = await placeOfAnswer(github, request.conversation);
  const self = await github.self();
  for (const spacings of lateWaits) {
    await pause(spacings * spacingMs, github.signal);
    const own = (await place.list()).filter(
      c => isOwn(c, self) && c.body?.includes(request.marker),
    );
    for (const { id, body } of own)
      if (body?.trim() !== addMarker(request).trim()) await update(place, request, id);
  }
}

/** Updates the comment with the mark if its text holds `text`, too; posts none. @throws PhotonError `GITHUB_*`. */
export async function updateComment(
  github: GitHub,
  request: CommentRequest,
  text: string,
): Promise<void> {
  const place = await placeOfAnswer(github, request.conversation);
  const own = await findOwn(github, place, request);
  if (own?.body?.includes(text)) await update(place, request, own.id);
}

function makeKey(
  { repository }: GitHub,
  { conversation, marker }: Omit<CommentRequest, 'body'>,
): string {
  return `${repository}#${conversation.number} ${marker}`;
}

/** The newest comment of Photon's own with the mark, or undefined. @throws PhotonError `GITHUB_*`. */
export async function readOwnComment(
  github: GitHub,
  request: Omit<CommentRequest, 'body'>,
): Promise<string | undefined> {
  const id = github.posted.get(makeKey(github, request));
  if (id === undefined)
    return (await findOwn(github, issuePlace(github, request.conversation), request))?.body;
  const where = { ...github.where, comment_id: id };
  return (await allowMissing(github.rest.issues.getComment(where)))?.data.body;
}

export function addMarker({ body, marker }: Pick<CommentRequest, 'body' | 'marker'>): string {
  return `${body.trimEnd()}\n${marker}\n`;
}

function requestOptions({ signal }: CommentRequest, more: { readonly retries?: number } = {}) {
  // a field that is there replaces the client's own, even if it is undefined
  return { request: signal === undefined ? more : { ...more, signal } };
}

/** Updates a comment in place; undefined when the token has no right to change it. */
function update(
  place: CommentApi,
  request: CommentRequest,
  id: number,
): Promise<CommentReference | undefined> {
  return allowMissing(place.update(id, addMarker(request), requestOptions(request)), [403, 404]);
}

async function findOwn(
  github: GitHub,
  place: CommentApi,
  { marker }: Pick<CommentRequest, 'marker'>,
): Promise<PlacedComment | undefined> {
  const comments = await place.list();
  const self = await github.self();
  return comments.findLast(c => isOwn(c, self) && c.body?.includes(marker));
}

/** True when Photon can be the author: the token's owner, or any bot when the token belongs to a bot. */
export function isOwn(
  comment: { readonly user: { readonly login: string; readonly type: string } | null },
  self: string | undefined,
): boolean {
  return self === undefined ? comment.user?.type === 'Bot' : comment.user?.login === self;
}

/** Hidden mark of a task in Photon's comments; it captures the task's id. */
export const taskMark = /<!-- photon:task=([a-z0-9-]{1,60}) -->/;

/**
 * Hidden mark of one request. Its progress and its answer share one comment, and the next request gets
 * a new one. A workflow that runs again updates its earlier comment.
 */
export function requestMark(
  { event, env }: Pick<RunInput, 'event' | 'env'>,
  runId: string,
): string {
  const { comment, review } = (event.payload ?? {}) as Record<string, { id?: unknown } | undefined>;
  const run = /^\d{1,20}$/.test(env.GITHUB_RUN_ID ?? '') ? env.GITHUB_RUN_ID : runId;
  const id = [comment?.id, review?.id].find(Number.isSafeInteger);
  const key = id === undefined ? `run-${run}` : `${comment ? 'comment' : 'review'}-${id}`;
  return `<!-- photon:request=${key} -->`;
}

/** Acknowledges a command with a reaction. A failure is only logged. */
export async function acknowledge(github: GitHub, { comment }: Conversation): Promise<void> {
  // GitHub has no reactions to review bodies
  if (comment === undefined || comment.kind === 'review-body') return;
  const where = { ...github.where, comment_id: comment.id, content: 'eyes' as const };
  try {
    if (comment.kind === 'review')
      await github.rest.reactions.createForPullRequestReviewComment(where);
    else await github.rest.reactions.createForIssueComment(where);
  } catch (error) {
    github.log(`GitHub: Photon could not acknowledge the command: ${formatMessage(error)}`);
  }
}

/** A comment as GitHub returns it, of any of the three kinds. */
export interface CommentReply {
  readonly id: number;
  readonly body?: string | undefined;
  readonly user: Author | null;
  readonly created_at?: string;
  readonly updated_at?: string;
  /** Of a review, in place of the other two. */
  readonly submitted_at?: string | undefined;
  readonly path?: string;
  readonly line?: number;
  readonly start_line?: number | null;
}

/** A comment of a list. */
interface PlacedComment extends CommentReply {
  readonly created_at: string;
  readonly updated_at: string;
  readonly html_url: string;
  /** The first comment of its review thread; absent for others. */
  readonly in_reply_to_id?: number | undefined;
}

/** Which comments of a list are read. */
interface ListOptions {
  /** Only those that were changed since then (ISO 8601). */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a list is asked with. A field that is there replaces the client's own, even if it is undefined. */
function listFields({ since, signal }: ListOptions) {
  const fields: { since?: string; request?: { signal: AbortSignal; retries: number } } = {};
  if (since !== undefined) fields.since = since;
  if (signal !== undefined) fields.request = { signal, retries: 0 };
  return fields;
}

interface CommentReference {
  readonly id: number;
  readonly url: string;
}

/** Options of a request, such as its signal. */
interface WithRequest {
  readonly request?: object;
}

/** Lists, creates and updates comments of one kind. @throws PhotonError `GITHUB_*`. */
export interface CommentApi {
  list(): Promise<readonly PlacedComment[]>;
  create(body: string, options: WithRequest): Promise<CommentReference>;
  update(id: number, body: string, options: WithRequest): Promise<CommentReference>;
}

/** Maximum number of pages of 100 comments that are read. */
const maxPages = 20;

/** The comments of an issue or pull request, oldest first, without those on lines. */
export function listComments(
  github: GitHub,
  { number, ...options }: { readonly number: number } & ListOptions,
): Promise<readonly PlacedComment[]> {
  const where = { ...github.where, issue_number: number, ...listFields(options) };
  return readPages(maxPages, at => github.rest.issues.listComments({ ...where, ...at }));
}

/** The comments on lines of a pull request, oldest first. */
export function listLineComments(
  github: GitHub,
  { number, ...options }: { readonly number: number } & ListOptions,
): Promise<readonly PlacedComment[]> {
  const where = { ...github.where, pull_number: number, ...listFields(options) };
  return readPages(maxPages, at => github.rest.pulls.listReviewComments({ ...where, ...at }));
}

/** All comments of a conversation, oldest first; those in review threads too. */
export async function listAllComments(
  github: GitHub,
  { kind, number, since, signal }: Conversation & ListOptions,
): Promise<readonly PlacedComment[]> {
  const about = { number, since, signal };
  const comments = await listComments(github, about);
  if (kind === 'issue') return comments;
  const onLines = await listLineComments(github, about);
  return [...comments, ...onLines].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/**
 * The place for an answer. A command in a review thread is answered there, unless its comment is gone.
 * @throws PhotonError `GITHUB_*`.
 */
async function placeOfAnswer(github: GitHub, conversation: Conversation): Promise<CommentApi> {
  const start = await findThreadStart(github, conversation);
  return start === undefined
    ? issuePlace(github, conversation)
    : threadPlace(github, { ...conversation, start });
}

/** The first comment of the thread that holds the command; replies can go to that one alone. */
async function findThreadStart(
  github: GitHub,
  { comment }: Conversation,
): Promise<number | undefined> {
  if (comment?.kind !== 'review') return undefined;
  const where = { ...github.where, comment_id: comment.id };
  const found = await allowMissing(github.rest.pulls.getReviewComment(where));
  return found?.data.in_reply_to_id ?? found?.data.id;
}

const referTo = ({ data }: { readonly data: { id: number; html_url: string } }) => ({
  id: data.id,
  url: data.html_url,
});

function issuePlace(github: GitHub, { number }: Conversation): CommentApi {
  return {
    list: () => listComments(github, { number }),
    create: async (body, options) => {
      const issue = { ...github.where, issue_number: number, body, ...options };
      return referTo(await github.rest.issues.createComment(issue));
    },
    update: async (id, body, options) => {
      const comment = { ...github.where, comment_id: id, body, ...options };
      return referTo(await github.rest.issues.updateComment(comment));
    },
  };
}

function threadPlace(
  github: GitHub,
  { number, start }: Conversation & { readonly start: number },
): CommentApi {
  return {
    list: () => listLineComments(github, { number }),
    create: async (body, options) => {
      const reply = { ...github.where, pull_number: number, comment_id: start, body, ...options };
      return referTo(await github.rest.pulls.createReplyForReviewComment(reply));
    },
    update: async (id, body, options) => {
      const comment = { ...github.where, comment_id: id, body, ...options };
      return referTo(await github.rest.pulls.updateReviewComment(comment));
    },
  };
}
