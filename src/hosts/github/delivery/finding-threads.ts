/** The threads of Photon's findings on a pull request. */

import * as z from 'zod';
import { once } from '../../../base/once.ts';
import { type GitHub, splitRepository } from '../api/github.ts';

/** A thread that begins with a finding of Photon. */
export interface FindingThread {
  readonly id: string;
  readonly isResolved: boolean;
  /** True if its lines changed since. */
  readonly isOutdated: boolean;
  readonly fingerprint: string;
  /** Kind of its proof, or `opinion`. */
  readonly kind: string;
}

const query = `query Threads($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved isOutdated
          comments(first: 1) { nodes { body author { __typename login } } }
        }
      }
    }
  }
}`;

const page = once(() =>
  z.object({
    repository: z.object({
      pullRequest: z.object({
        reviewThreads: z.object({
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
          nodes: z.array(
            z.object({
              id: z.string(),
              isResolved: z.boolean(),
              isOutdated: z.boolean(),
              comments: z.object({
                nodes: z.array(
                  z.object({
                    body: z.string(),
                    author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
                  }),
                ),
              }),
            }),
          ),
        }),
      }),
    }),
  }),
);

const mark = /<!-- photon:finding=([0-9a-f]{16}):([a-z]{1,20}) -->/;

/** Maximum number of pages of 100 threads that are read. */
const maxPages = 10;

/** Photon's own threads. Anybody can write the mark, so its author counts. Throws what Octokit throws. */
export async function listOwnThreads(
  github: GitHub,
  { repository, number }: { readonly repository: string; readonly number: number },
): Promise<readonly FindingThread[]> {
  const self = await github.self();
  const own: FindingThread[] = [];
  let after: string | null = null;
  const where = { ...splitRepository(repository), number };
  for (let n = 1; n <= maxPages; n++) {
    const reply: unknown = await github.graphql(query, { ...where, after });
    const { reviewThreads } = page().parse(reply).repository.pullRequest;
    for (const { comments, ...thread } of reviewThreads.nodes) {
      const [first] = comments.nodes;
      const isOwn =
        self === null ? first?.author?.__typename === 'Bot' : first?.author?.login === self;
      const [, fingerprint, kind] = mark.exec(first?.body ?? '') ?? [];
      if (isOwn && fingerprint !== undefined && kind !== undefined)
        own.push({ ...thread, fingerprint, kind });
    }
    after = reviewThreads.pageInfo.endCursor;
    if (!reviewThreads.pageInfo.hasNextPage) break;
  }
  return own;
}

const resolveMutation = `mutation Resolve($input: ResolveReviewThreadInput!) {
  resolveReviewThread(input: $input) { clientMutationId }
}`;

/** Resolves a thread. Throws what Octokit throws. */
export async function resolveFinding(github: GitHub, threadId: string): Promise<void> {
  await github.graphql(resolveMutation, { input: { threadId } });
}
