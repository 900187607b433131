/** Makes the extract of GitHub's OpenAPI description that the tests check against: `node test/contract/extract.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Every operation that Photon or its tests use. */
export const operations = [
  'get /advisories',
  'get /repos/{owner}/{repo}',
  'get /repos/{owner}/{repo}/installation',
  'post /app/installations/{installation_id}/access_tokens',
  'get /repos/{owner}/{repo}/activity',
  'get /repos/{owner}/{repo}/collaborators/{username}/permission',
  'get /repos/{owner}/{repo}/compare/{basehead}',
  'get /repos/{owner}/{repo}/dependency-graph/compare/{basehead}',
  'post /repos/{owner}/{repo}/git/blobs',
  'get /repos/{owner}/{repo}/git/blobs/{file_sha}',
  'post /repos/{owner}/{repo}/git/trees',
  'get /repos/{owner}/{repo}/git/trees/{tree_sha}',
  'post /repos/{owner}/{repo}/git/commits',
  'get /repos/{owner}/{repo}/git/commits/{commit_sha}',
  'post /repos/{owner}/{repo}/git/refs',
  'get /repos/{owner}/{repo}/git/ref/{ref}',
  'patch /repos/{owner}/{repo}/git/refs/{ref}',
  'delete /repos/{owner}/{repo}/git/refs/{ref}',
  'get /repos/{owner}/{repo}/rules/branches/{branch}',
  'get /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  'get /repos/{owner}/{repo}/pulls',
  'post /repos/{owner}/{repo}/pulls',
  'get /repos/{owner}/{repo}/pulls/{pull_number}',
  'patch /repos/{owner}/{repo}/pulls/{pull_number}',
  'put /repos/{owner}/{repo}/pulls/{pull_number}/update-branch',
  'get /repos/{owner}/{repo}/commits/{ref}/status',
  'get /repos/{owner}/{repo}/issues',
  'post /repos/{owner}/{repo}/issues',
  'patch /repos/{owner}/{repo}/issues/{issue_number}',
  'get /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'post /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'get /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'patch /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'get /repos/{owner}/{repo}/pulls/comments/{comment_id}',
  'post /repos/{owner}/{repo}/issues/{issue_number}/labels',
  'post /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
  'post /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions',
  'get /repos/{owner}/{repo}/actions/permissions/workflow',
  'get /user',
  'get /orgs/{org}/teams/{team_slug}/memberships/{username}',
  'get /repos/{owner}/{repo}/issues/{issue_number}',
  'get /repos/{owner}/{repo}/issues/{issue_number}/timeline',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'post /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}',
  'get /orgs/{org}/repos',
  'get /repos/{owner}/{repo}/actions/workflows',
  'get /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
  'get /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
  'get /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
  'get /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
  'get /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
  'get /repos/{owner}/{repo}/attestations/{subject_digest}',
  'get /repos/{owner}/{repo}/git/matching-refs/{ref}',
  'post /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/files',
  'post /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'put /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}',
  'post /repos/{owner}/{repo}/issues/{issue_number}/assignees',
  'get /repos/{owner}/{repo}/commits/{ref}/check-runs',
  'post /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
  'patch /repos/{owner}/{repo}/pulls/comments/{comment_id}',
  'post /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
] as const;

export const extractPath = join(import.meta.dirname, 'github-openapi.generated.json');

type Json = undefined | boolean | number | string | Json[] | { [key: string]: Json };

/** The extract as text: operations as they are, descriptions and examples left out, $refs kept. */
export function makeExtract(): string {
  const source = createRequire(import.meta.url).resolve(
    '@octokit/openapi/generated/api.github.com.json',
  );
  const full = JSON.parse(readFileSync(source, 'utf8')) as {
    paths: Record<string, Record<string, Json>>;
    components: Record<string, Record<string, Json>>;
  };
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ');
    const found = full.paths[path]?.[method];
    if (found === undefined) throw new Error(`no operation ${operation}`);
    paths[path] = { ...paths[path], [method]: slim(found) };
  }
  const components: Record<string, Record<string, Json>> = {};
  const pending = refsIn(paths);
  for (const ref of pending) {
    const [, , kind = '', name = ''] = ref.split('/');
    if (components[kind]?.[name] !== undefined) continue;
    const value = slim(full.components[kind]?.[name]);
    components[kind] = { ...components[kind], [name]: value };
    for (const next of refsIn(value)) pending.add(next);
  }
  return `${JSON.stringify({ paths, components })}\n`;
}

const dropped = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'tags',
  'externalDocs',
  'x-github',
  'x-multi-segment',
  'title',
]);

/** Drops words for people; a property that happens to be called `description` stays. */
function slim(value: Json, inProperties = false): Json {
  if (Array.isArray(value)) return value.map(v => slim(v));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, v]) => inProperties || !dropped.has(key) || (typeof v === 'object' && key === 'title'),
  );
  return Object.fromEntries(
    kept.map(([key, v]) => [key, slim(v, key === 'properties' && !inProperties)]),
  );
}

function refsIn(value: Json | Record<string, Record<string, Json>>): Set<string> {
  return new Set([...JSON.stringify(value).matchAll(/"\$ref":"#([^"]+)"/g)].map(m => `#${m[1]}`));
}

if (process.argv[1] === import.meta.filename) writeFileSync(extractPath, makeExtract());
