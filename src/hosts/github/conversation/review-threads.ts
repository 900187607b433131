/** Reviews and review threads of a pull request, over GraphQL: REST does not tell which threads are resolved. */
import type { Task } from '../../../base/task.ts';
import type { FileChange } from '../../../workspace/files/change.ts';
import { lineChanges } from '../../../workspace/text/diff.ts';
import type { Author, GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';

/** A comment or review, as GraphQL gives it. */
interface GraphNode {
  /** As text: ids of comments are larger than an integer of GraphQL. */
  readonly fullDatabaseId: string | null;
  readonly body: string;
  readonly lastEditedAt: string | null;
  /** True for a comment that somebody with write access hid. */
  readonly isMinimized: boolean;
  readonly author: { readonly __typename: string; readonly login: string } | null;
}

interface ReviewNode extends GraphNode {
  readonly state: string;
  readonly submittedAt: string | null;
}

interface ThreadComments {
  readonly nodes: readonly (GraphNode & { readonly createdAt: string })[];
}

interface ThreadNode {
  readonly id: string;
  readonly isResolved: boolean;
  /** True if its lines changed since. */
  readonly isOutdated: boolean;
  readonly path: string;
  readonly line: number | null;
  readonly startLine: number | null;
  readonly diffSide: 'LEFT' | 'RIGHT';
  /** The first comment, beside the newest ones. */
  readonly first: ThreadComments;
  readonly comments: ThreadComments;
}

interface Reply {
  readonly repository: {
    readonly pullRequest: {
      readonly reviews: { readonly nodes: readonly ReviewNode[] };
      readonly reviewThreads: { readonly nodes: readonly ThreadNode[] };
    } | null;
  } | null;
}

/** A comment of a thread, or the text of a review. */
export interface PostedText {
  readonly id: number;
  readonly author: Author | undefined;
  readonly body: string;
  readonly createdAt: string;
  /** Time of the last edit; undefined when it was never edited. */
  readonly editedAt: string | undefined;
}

interface PullReview extends PostedText {
  /** `APPROVED`, `CHANGES_REQUESTED`, `COMMENTED` … */
  readonly verdict: string;
}

export interface ReviewThread
  extends Pick<
    ThreadNode,
    'id' | 'isResolved' | 'isOutdated' | 'path' | 'line' | 'startLine' | 'diffSide'
  > {
  /** Its first comment, also one that somebody hid. */
  readonly opening: PostedText | undefined;
  readonly comments: readonly PostedText[];
}

const query = `query ReviewThreads($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviews(last: 30) {
        nodes { fullDatabaseId body state submittedAt lastEditedAt isMinimized author { __typename login } }
      }
      reviewThreads(last: 100) {
        nodes {
          id isResolved isOutdated path line startLine diffSide
          first: comments(first: 1) { nodes { ...text } }
          comments(last: 50) { nodes { ...text } }
        }
      }
    }
  }
}
fragment text on PullRequestReviewComment {
  fullDatabaseId body createdAt lastEditedAt isMinimized author { __typename login }
}`;

/**
 * The newest reviews and threads, oldest first.
 * @throws PhotonError `GITHUB_*`; what Octokit throws for a reply with errors.
 */
export async function fetchReviews(
  github: GitHub,
  number: number,
): Promise<{ readonly reviews: readonly PullReview[]; readonly threads: readonly ReviewThread[] }> {
  const { owner, repo: name } = github.where;
  const reply = await github.graphql<Reply>(query, { owner, name, number });
  const pull = reply.repository?.pullRequest;
  return {
    reviews: (pull?.reviews.nodes ?? []).flatMap(({ state: verdict, submittedAt, ...node }) =>
      submittedAt === null || node.isMinimized
        ? []
        : [{ ...makePostedText(node, submittedAt), verdict }],
    ),
    threads: (pull?.reviewThreads.nodes ?? []).map(({ first, comments: { nodes }, ...thread }) => {
      const read = (some: typeof nodes) =>
        some.map(({ createdAt, ...node }) => makePostedText(node, createdAt));
      const [opening] = read(first.nodes);
      return { ...thread, opening, comments: read(nodes.filter(node => !node.isMinimized)) };
    }),
  };
}

function makePostedText(
  { fullDatabaseId, body, lastEditedAt, author }: GraphNode,
  createdAt: string,
): PostedText {
  // GraphQL names a bot without the ending that REST gives its login
  const isBot = author?.__typename === 'Bot';
  return {
    id: Number(fullDatabaseId ?? 0),
    author:
      author === null
        ? undefined
        : { login: isBot ? `${author.login}[bot]` : author.login, id: 0, type: author.__typename },
    body,
    createdAt,
    editedAt: lastEditedAt ?? undefined,
  };
}

const mutation = `mutation ResolveThread($input: ResolveReviewThreadInput!) {
  resolveReviewThread(input: $input) { clientMutationId }
}`;

/**
 * Marks a thread as resolved.
 * @throws PhotonError `GITHUB_*`; what Octokit throws for a reply with errors.
 */
export async function resolveThread(github: GitHub, threadId: string): Promise<void> {
  await github.graphql(mutation, { input: { threadId } });
}

interface PushedPatch {
  readonly task: Task;
  /** Commit that the patch lies on. */
  readonly baseCommit: string;
  readonly changes: readonly FileChange[];
}

/** @returns what people should know. A thread that stays open fails nothing. */
export async function settleThread(
  github: GitHub,
  { task, baseCommit, changes }: PushedPatch,
): Promise<readonly string[]> {
  const { conversation, headBranch } = task;
  if (conversation?.comment?.kind !== 'review') return [];
  const { id } = conversation.comment;
  // the lines of the comment are those of the head that the command was about
  if (headBranch?.sha !== baseCommit || !changesPlace(task, changes)) return [];
  try {
    const { threads } = await fetchReviews(github, conversation.number);
    const thread = threads.find(t => t.comments.some(c => c.id === id));
    // a thread on the left side is about lines that the pull request removed
    if (thread === undefined || thread.isResolved || thread.diffSide !== 'RIGHT') return [];
    await resolveThread(github, thread.id);
    return [];
  } catch (error) {
    return [
      `The review thread could not be resolved. Resolve it yourself: ${formatMessage(error)}`,
    ];
  }
}

/** True if the patch replaces or removes a line that the comment is about. */
function changesPlace({ place }: Task, changes: readonly FileChange[]): boolean {
  const { startLine: first, endLine: last } = place ?? {};
  const change = changes.find(c => c.path === place?.path);
  if (change === undefined || first == null || last == null) return false;
  if (change.after === undefined) return true;
  const lines = lineChanges(change) ?? [];
  return lines.some(({ startLine, removed }) =>
    removed === 0
      ? first < startLine && startLine <= last
      : startLine <= last && startLine + removed > first,
  );
}
