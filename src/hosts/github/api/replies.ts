/** What Photon reads from GitHub's replies, by route. A reply without it counts as broken and is never used. */
import { z } from 'zod';

/** Name of a git object: forty or sixty-four hexadecimal digits, not all zeros. */
export const objectId = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
  .refine(id => /[1-9a-f]/.test(id), 'not the name of an object');

const id = z.number().int().positive();
const text = z.string().min(1);
const address = z.string().regex(/^https?:\/\//);
const time = z.string().regex(/^\d{4}-\d\d-\d\dT/);
const object = z.object({ sha: objectId });
const author = z.object({ login: text, id, type: text });
const repository = z.object({ id });

const reference = z.object({ ref: text, object });
const commit = z.object({
  sha: objectId,
  message: z.string(),
  tree: object,
  parents: z.array(object),
  committer: z.object({ date: time }),
  author: z.object({ email: z.string() }).nullish(),
  verification: z.object({ verified: z.boolean() }).optional(),
});
const tree = z.object({
  sha: objectId,
  truncated: z.boolean().optional(),
  tree: z.array(z.object({ path: text, mode: text, type: text, sha: objectId })),
});
const pullSummary = z.object({
  number: id,
  node_id: text,
  html_url: address,
  title: z.string(),
  state: z.enum(['open', 'closed']),
  draft: z.boolean().optional(),
  merged_at: time.nullish(),
  head: z.object({ ref: text, sha: objectId, repo: repository.nullish() }),
  base: z.object({ ref: text, repo: repository }),
});
const pull = pullSummary.extend({
  merged: z.boolean(),
  body: z.string().nullish(),
  merged_by: z.object({ login: text }).nullish(),
});
const comment = z.object({
  id,
  html_url: address,
  body: z.string().optional(),
  user: author.nullable(),
  created_at: time,
  updated_at: time,
});
const lineComment = comment.extend({
  pull_request_url: address,
  path: text,
  line: z.number().nullish(),
  start_line: z.number().nullish(),
  in_reply_to_id: id.nullish(),
});
const review = z.object({
  id,
  body: z.string(),
  state: text,
  user: author.nullable(),
  commit_id: objectId.nullable(),
  pull_request_url: address,
});
const issue = z.object({
  number: id,
  title: z.string(),
  user: author.nullable(),
  state: text,
  body: z.string().nullish(),
  closed_by: author.nullish(),
});
const files = z.array(
  z.object({
    filename: text,
    status: text,
    additions: z.number(),
    deletions: z.number(),
    patch: z.string().optional(),
  }),
);
const comparison = z.object({
  ahead_by: z.int(),
  behind_by: z.int(),
  status: z.enum(['ahead', 'behind', 'diverged', 'identical']),
  merge_base_commit: object,
  commits: z.array(
    z.object({
      sha: objectId,
      commit: z.object({
        message: z.string(),
        author: z.object({ name: z.string().optional() }).nullable(),
      }),
    }),
  ),
  files: files.optional(),
});
/** The result of a mutation, or its errors. */
const graphql = z.union([
  z.object({ errors: z.array(z.object({})).min(1) }),
  z.object({
    data: z
      .record(z.string(), z.object({}))
      .refine(answers => Object.keys(answers).length > 0, 'answers nothing'),
  }),
]);
/** Photon reads nothing from these replies. */
const unread = z.unknown();

const repo = '/repos/{owner}/{repo}';
const ofPull = `${repo}/pulls/{pull_number}`;
const ofIssue = `${repo}/issues/{issue_number}`;

/** Every route that Photon uses, as `@octokit/rest` writes it. */
export const replies: Readonly<Record<string, z.ZodType>> = {
  'POST /graphql': graphql,
  'GET /user': z.object({ login: text }),
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}': z.object({ state: text }),
  'POST /app/installations/{installation_id}/access_tokens': z.object({
    token: text,
    expires_at: time,
  }),
  'GET /advisories': z.array(
    z.object({
      ghsa_id: z.string().regex(/^GHSA(?:-[\da-z]{4}){3}$/),
      severity: z.enum(['critical', 'high', 'medium', 'low', 'unknown']),
      type: z.enum(['reviewed', 'unreviewed', 'malware']),
      vulnerabilities: z
        .array(
          z.object({
            package: z.object({ name: z.string().nullish() }).nullish(),
            first_patched_version: z.string().max(100).nullish(),
          }),
        )
        .nullable(),
    }),
  ),
  [`GET ${repo}`]: z.object({ node_id: text, default_branch: text, html_url: address }),
  [`GET ${repo}/actions/permissions/workflow`]: z.object({
    can_approve_pull_request_reviews: z.boolean(),
  }),
  [`GET ${repo}/installation`]: z.object({ id, permissions: z.record(z.string(), z.string()) }),
  [`GET ${repo}/collaborators/{username}/permission`]: z.object({
    permission: text,
    role_name: z.string().optional(),
  }),
  [`GET ${repo}/dependency-graph/compare/{basehead}`]: z.array(
    z.object({
      change_type: z.enum(['added', 'removed']),
      manifest: z.string(),
      ecosystem: z.string(),
      name: z.string(),
      version: z.string(),
    }),
  ),
  [`GET ${repo}/activity`]: z.array(z.object({ after: z.string(), timestamp: time })),
  [`GET ${repo}/compare/{basehead}`]: comparison,
  [`GET ${repo}/commits/{ref}/check-runs`]: z.object({
    check_runs: z.array(
      z.object({
        id,
        name: z.string(),
        conclusion: z.string().nullable(),
        app: z.object({ slug: z.string().optional() }).nullable(),
        output: z.object({ title: z.string().nullable(), summary: z.string().nullable() }),
      }),
    ),
  }),
  [`GET ${repo}/commits/{ref}/status`]: z.object({
    statuses: z.array(
      z.object({ context: z.string(), state: text, description: z.string().nullable() }),
    ),
  }),

  [`GET ${repo}/git/ref/{ref}`]: reference,
  [`GET ${repo}/git/matching-refs/{ref}`]: z.array(reference),
  [`POST ${repo}/git/refs`]: reference,
  [`GET ${repo}/rules/branches/{branch}`]: z.array(
    z.object({ type: text, ruleset_id: id.optional() }),
  ),
  [`GET ${repo}/rulesets/{ruleset_id}`]: z.object({
    current_user_can_bypass: z.string().optional(),
  }),
  [`GET ${repo}/git/commits/{commit_sha}`]: commit,
  [`POST ${repo}/git/commits`]: commit,
  [`GET ${repo}/git/trees/{tree_sha}`]: tree,
  [`POST ${repo}/git/trees`]: object,
  [`GET ${repo}/git/blobs/{file_sha}`]: z.object({ content: z.string(), encoding: text }),
  [`POST ${repo}/git/blobs`]: object,

  [`PUT ${repo}/pulls/{pull_number}/update-branch`]: unread,
  [`GET ${repo}/pulls`]: z.array(pullSummary),
  [`POST ${repo}/pulls`]: pullSummary,
  [`GET ${ofPull}`]: pull,
  [`PATCH ${ofPull}`]: pullSummary,
  [`GET ${ofPull}/files`]: files,
  [`GET ${ofPull}/comments`]: z.array(lineComment),
  [`POST ${ofPull}/comments`]: z.object({ id }),
  [`GET ${repo}/pulls/comments/{comment_id}`]: lineComment,
  [`PATCH ${repo}/pulls/comments/{comment_id}`]: z.object({ id, html_url: address }),
  [`POST ${ofPull}/comments/{comment_id}/replies`]: z.object({ id, html_url: address }),
  [`GET ${ofPull}/reviews`]: z.array(review),
  [`GET ${ofPull}/reviews/{review_id}`]: review,
  [`POST ${ofPull}/reviews`]: z.object({ id }),
  [`PUT ${ofPull}/reviews/{review_id}`]: unread,
  [`POST ${ofPull}/requested_reviewers`]: unread,
  [`POST ${repo}/pulls/comments/{comment_id}/reactions`]: unread,

  [`GET ${repo}/issues`]: z.array(issue),
  [`POST ${repo}/issues`]: z.object({ number: id }),
  [`GET ${ofIssue}`]: issue,
  [`PATCH ${ofIssue}`]: unread,
  [`GET ${ofIssue}/timeline`]: z.array(z.object({ event: z.string().optional() })),
  [`GET ${ofIssue}/comments`]: z.array(comment),
  [`POST ${ofIssue}/comments`]: z.object({ id, html_url: address }),
  [`GET ${repo}/issues/comments/{comment_id}`]: comment.extend({ issue_url: address }),
  [`PATCH ${repo}/issues/comments/{comment_id}`]: z.object({ id, html_url: address }),
  [`POST ${repo}/issues/comments/{comment_id}/reactions`]: unread,
  [`POST ${ofIssue}/labels`]: unread,
  [`POST ${ofIssue}/assignees`]: unread,

  'GET /orgs/{org}/repos': z.array(z.object({ full_name: text, archived: z.boolean().optional() })),
  [`GET ${repo}/actions/workflows`]: z.object({
    workflows: z.array(z.object({ id, name: z.string(), path: z.string() })),
  }),
  [`GET ${repo}/actions/workflows/{workflow_id}/runs`]: z.object({
    workflow_runs: z.array(
      z.object({ id, html_url: address, created_at: time, conclusion: z.string().nullable() }),
    ),
  }),
  [`GET ${repo}/actions/runs/{run_id}/jobs`]: z.object({
    jobs: z.array(z.object({ id, name: z.string(), conclusion: z.string().nullable() })),
  }),
  [`GET ${repo}/actions/jobs/{job_id}/logs`]: unread,
  [`GET ${repo}/actions/runs/{run_id}/artifacts`]: z.object({
    artifacts: z.array(z.object({ id, name: z.string(), expired: z.boolean() })),
  }),
  [`GET ${repo}/actions/artifacts/{artifact_id}/{archive_format}`]: unread,
  [`POST ${repo}/actions/workflows/{workflow_id}/dispatches`]: unread,
  // a bundle is a foreign file, which its own check reads
  [`GET ${repo}/attestations/{subject_digest}`]: z.object({
    attestations: z
      .array(z.object({ bundle: z.unknown().optional(), bundle_url: z.string().nullish() }))
      .optional(),
  }),
};

/** A reply that lacks what Photon reads from it: it was cut off, or does not come from GitHub. */
export class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
  /** Status of a bad gateway, which the retry plugin tries again. There is no `response`, because the write can have happened. */
  readonly status = 502;
  /** The request, which holds the retry plugin's counter. */
  readonly request: unknown;

  constructor(route: string, why: string, request: unknown) {
    super(`the reply to ${route} cannot be used: ${why}`);
    this.request = request;
  }
}

interface Requests {
  readonly hook: {
    after(
      name: 'request',
      check: (response: { data: unknown }, options: { method: string; url: string }) => void,
    ): void;
  };
}

/**
 * An Octokit plugin that checks every reply against its schema. It comes before the retry plugin, so
 * that a broken reply is retried like a lost one.
 * @throws BrokenReply
 */
export function checkReplies(octokit: Requests): Record<string, never> {
  octokit.hook.after('request', ({ data }, options) => {
    // on GitHub Enterprise Server the GraphQL address is not below the base address of REST
    const route = `${options.method} ${options.url.replace(/^https?:.*(?=\/graphql$)/, '')}`;
    const schema = replies[route];
    if (schema === undefined) throw new Error(`${route} has no schema in replies.ts`);
    const read = schema.safeParse(data);
    if (!read.success) throw new BrokenReply(route, describeIssue(read.error), options);
  });
  return {};
}

/** The first field that is missing or wrong, without its content. */
function describeIssue({ issues }: z.ZodError): string {
  const [first] = issues;
  const where = first?.path.join('.') ?? '';
  return `${where === '' ? 'it' : where.slice(0, 80)} is not as GitHub documents it`;
}
