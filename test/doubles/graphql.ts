/** GraphQL of the GitHub double: checks requests against GitHub's schema and carries them out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { State } from './github-routes.ts';
import { resolveFinding } from './routes/finding-threads.ts';
import { type RefUpdate, updateRefs } from './routes/refs.ts';
import { reviewsOf } from './routes/threads.ts';

const schemaPath = join(
  import.meta.dirname,
  '../../node_modules/@octokit/graphql-schema/schema.graphql',
);

let built: GraphQLSchema | null = null;

/** GitHub's published schema. It is large, so it is read at the first request. */
function schema(): GraphQLSchema {
  built ??= buildSchema(readFileSync(schemaPath, 'utf8'), { assumeValid: true });
  return built;
}

interface Input<T> {
  readonly input: T;
}

function operations(state: State) {
  const pullOf = (id: string) => {
    const pull = state.pulls.get(Number(id.replace('PR_', '')));
    if (pull === undefined) throw new GraphQLError(`Could not resolve to a node with ${id}`);
    return pull;
  };
  return {
    repository: () => ({
      pullRequest: ({ number }: { number: number }) => reviewsOf(state, number),
    }),
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) => {
      if (resolveFinding(state, input.threadId)) return { clientMutationId: null };
      const thread = state.surface.threads.find(t => t.id === input.threadId);
      if (thread === undefined)
        throw new GraphQLError(
          `Could not resolve to a node with the global id of '${input.threadId}'`,
        );
      // a token with pull-requests: write and without contents: write
      if (thread.canResolve === false)
        throw new GraphQLError('Resource not accessible by integration', {
          extensions: { type: 'FORBIDDEN' },
        });
      thread.resolved = true;
      return { clientMutationId: null };
    },
    updateRefs: ({ input }: Input<{ refUpdates: readonly RefUpdate[] }>) => {
      const refused = updateRefs(state, input.refUpdates);
      if (refused !== undefined) throw new GraphQLError(refused);
      return { clientMutationId: null };
    },
    enablePullRequestAutoMerge: ({
      input,
    }: Input<{ pullRequestId: string; mergeMethod: string }>) => {
      const pull = pullOf(input.pullRequestId);
      if (state.surface.isClean === true)
        throw new GraphQLError('Pull request Pull request is in clean status');
      pull.autoMerge = input.mergeMethod;
      return { clientMutationId: null };
    },
    markPullRequestReadyForReview: ({ input }: Input<{ pullRequestId: string }>) => {
      pullOf(input.pullRequestId).draft = false;
      return { clientMutationId: null };
    },
    convertPullRequestToDraft: ({ input }: Input<{ pullRequestId: string }>) => {
      pullOf(input.pullRequestId).draft = true;
      return { clientMutationId: null };
    },
  };
}

/** The reply, and how the request violates the schema. */
export function answerGraphql(
  state: State,
  body: unknown,
): { readonly body: unknown; readonly violations: readonly string[] } {
  const { query, variables = {} } = body as { query: string; variables?: Record<string, unknown> };
  const document = parse(query);
  const wrong = validate(schema(), document).map(e => `graphql: ${e.message}`);
  if (wrong.length > 0) return { body: { errors: wrong }, violations: wrong };
  const result = execute({
    schema: schema(),
    document,
    variableValues: variables,
    rootValue: operations(state),
  });
  if (result instanceof Promise) throw new Error('no resolver is asynchronous');
  // errors without a path are of the request: variables that do not fit
  const misfits = (result.errors ?? []).filter(e => e.path === undefined);
  return { body: result, violations: misfits.map(e => `graphql: ${e.message}`) };
}
