/** Where a comment goes: into the conversation of an issue or a pull request, or into a review thread. */
import type { Conversation } from '../../../base/task.ts';
import { type Author, type GitHub, splitRepository } from '../api/github.ts';
import { statusOf, withCodes } from '../api/github-errors.ts';

/** A comment of either kind, as far as Photon reads it. */
export interface PlacedComment {
  readonly id: number;
  readonly body?: string | undefined;
  readonly user: Author | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly html_url: string;
}

interface Sent {
  readonly id: number;
  readonly url: string;
}

/** Options of a request, such as its signal. */
interface WithRequest {
  readonly request?: object;
}

/** Lists, creates and updates comments of one kind. The functions throw what Octokit throws. */
export interface CommentPlace {
  list(): Promise<readonly PlacedComment[]>;
  create(body: string, options: WithRequest): Promise<Sent>;
  update(id: number, body: string, options: WithRequest): Promise<Sent>;
}

/** Maximum number of pages of 100 comments that are read. */
const maxPages = 20;

async function allPages<T>(
  github: GitHub,
  read: (page: number) => Promise<{ readonly data: readonly T[] }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const { data } = await withCodes(github, () => read(page));
    all.push(...data);
    if (data.length < 100) break;
  }
  return all;
}

/** The comments of an issue or pull request, oldest first, without those on lines. */
export function listComments(
  github: GitHub,
  repository: string,
  number: number,
): Promise<readonly PlacedComment[]> {
  const where = { ...splitRepository(repository), issue_number: number, per_page: 100 };
  return allPages(github, page => github.rest.issues.listComments({ ...where, page }));
}

/** The comments on lines of a pull request, oldest first. */
function listLineComments(
  github: GitHub,
  repository: string,
  number: number,
): Promise<readonly PlacedComment[]> {
  const where = { ...splitRepository(repository), pull_number: number, per_page: 100 };
  return allPages(github, page => github.rest.pulls.listReviewComments({ ...where, page }));
}

/** All comments of a conversation, oldest first; those in review threads too. */
export async function listAllComments(
  github: GitHub,
  repository: string,
  { kind, number }: Conversation,
): Promise<readonly PlacedComment[]> {
  const comments = await listComments(github, repository, number);
  if (kind === 'issue') return comments;
  const onLines = await listLineComments(github, repository, number);
  return [...comments, ...onLines].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

/**
 * The place for an answer. A command in a review thread is answered there, unless its comment is gone.
 * Throws what Octokit throws.
 */
export async function placeOfAnswer(
  github: GitHub,
  repository: string,
  conversation: Conversation,
): Promise<CommentPlace> {
  const start = await findThreadStart(github, repository, conversation);
  return start === null
    ? issuePlace(github, repository, conversation)
    : threadPlace(github, repository, { ...conversation, start });
}

/** The first comment of the thread that holds the command; replies can go to that one alone. */
async function findThreadStart(
  github: GitHub,
  repository: string,
  { commentKind, commentId }: Conversation,
): Promise<number | null> {
  if (commentKind !== 'review' || commentId === undefined) return null;
  try {
    const where = { ...splitRepository(repository), comment_id: commentId };
    const { data } = await github.rest.pulls.getReviewComment(where);
    return data.in_reply_to_id ?? data.id;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

function issuePlace(github: GitHub, repository: string, { number }: Conversation): CommentPlace {
  const where = splitRepository(repository);
  return {
    list: () => listComments(github, repository, number),
    create: async (body, options) => {
      const issue = { ...where, issue_number: number };
      const { data } = await github.rest.issues.createComment({ ...issue, body, ...options });
      return { id: data.id, url: data.html_url };
    },
    update: async (id, body, options) => {
      const comment = { ...where, comment_id: id };
      const { data } = await github.rest.issues.updateComment({ ...comment, body, ...options });
      return { id: data.id, url: data.html_url };
    },
  };
}

function threadPlace(
  github: GitHub,
  repository: string,
  { number, start }: Conversation & { readonly start: number },
): CommentPlace {
  const where = splitRepository(repository);
  return {
    list: () => listLineComments(github, repository, number),
    create: async (body, options) => {
      const thread = { ...where, pull_number: number, comment_id: start };
      const { data } = await github.rest.pulls.createReplyForReviewComment({
        ...thread,
        body,
        ...options,
      });
      return { id: data.id, url: data.html_url };
    },
    update: async (id, body, options) => {
      const comment = { ...where, comment_id: id };
      const { data } = await github.rest.pulls.updateReviewComment({
        ...comment,
        body,
        ...options,
      });
      return { id: data.id, url: data.html_url };
    },
  };
}
