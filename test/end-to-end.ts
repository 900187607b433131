/**
 * Tries on a real repository, or at a real model endpoint, what a run needs of them. A maintainer starts it by hand, before
 * others rely on Photon there:
 *
 *     GITHUB_TOKEN=… node test/end-to-end.ts octo-org/scratch
 *     OPENAI_API_KEY=… PHOTON_MODEL=gpt-5 node test/end-to-end.ts
 *
 * The repository is a scratch repository; its token may write contents, pull requests and issues. The script makes a branch
 * `photon/end-to-end-…` with one file, a draft pull request and comments on it. Then it deletes the branch and closes the
 * pull request, which stays in the list. At the model endpoint it uses some thousand tokens. `GITHUB_API_URL` and
 * `PHOTON_BASE_URL` name other servers. Each check prints a line; the first that does not hold ends the script with status 1.
 */
import assert from 'node:assert/strict';
import { openGitHub } from '../src/hosts/github/api/client.ts';
import { makeTree } from '../src/hosts/github/api/commit-objects.ts';
import type { GitHub } from '../src/hosts/github/api/github.ts';
import { postReviewOnce } from '../src/hosts/github/api/pull-files.ts';
import { readRef, swapRefs } from '../src/hosts/github/api/refs.ts';
import { postComment } from '../src/hosts/github/conversation/comment.ts';
import { fetchReviews, resolveThread } from '../src/hosts/github/conversation/review-threads.ts';
import { listOwnPulls } from '../src/hosts/github/delivery/own-pulls.ts';
import { publishPatch } from '../src/hosts/github/delivery/publish.ts';
import { undoPull } from '../src/hosts/github/delivery/undo.ts';
import { examineModel } from '../src/model/examine-model.ts';
import { openTimeLimit } from '../src/process/time-limit.ts';
import { findEndpoint, readTerminalKeys } from '../src/settings/find-endpoint.ts';

const { env } = process;
const [repository] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const limit = openTimeLimit(new AbortController().signal, { ms: 600_000, now: Date.now });

/** Prints whether a promise is kept. @throws what `work` throws. */
async function check<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    say(`holds   ${name}`);
    return result;
  } catch (error) {
    say(`BROKEN  ${name} (${(error as Error).message})`);
    throw error;
  }
}

const path = 'photon-end-to-end.md';
const branchPrefix = 'photon/';

/** What the checks of a pull request work with. */
interface Trial {
  readonly github: GitHub;
  readonly id: string;
  readonly taskId: string;
  readonly branch: string;
  readonly baseRef: string;
  readonly baseCommit: string;
  readonly baseTree: string;
}

async function openTrial(named: string): Promise<Trial> {
  const github = await openGitHub({
    repository: named,
    apiUrl: env.GITHUB_API_URL ?? 'https://api.github.com',
    token: env.GITHUB_TOKEN ?? '',
    signal: limit.signal,
    deadline: limit.deadline,
    now: Date.now,
    mutationSpacingMs: Number(env.PHOTON_MUTATION_SPACING_MS ?? 1000),
    log: say,
  });
  const { data } = await github.rest.repos.get(github.where);
  const baseCommit = (await readRef(github, `refs/heads/${data.default_branch}`)) ?? '';
  const commit = await github.rest.git.getCommit({ ...github.where, commit_sha: baseCommit });
  // eight hexadecimal digits
  const id = Date.now().toString(16).slice(-8);
  const taskId = `end-to-end-${id}`;
  const base = { baseRef: data.default_branch, baseCommit, baseTree: commit.data.tree.sha };
  const branch = `${branchPrefix}${taskId}`;
  return { github, id, taskId, branch, ...base };
}

/** Publishes a file as a draft, and again with another text as an update of it. */
async function publish({ github, taskId, ...trial }: Trial, text: string) {
  const content = `# End to end\n\nPhoton tries out this repository: ${text}.\n`;
  const entry = { path, mode: '100644', type: 'blob', content } as const;
  const expectedTree = await makeTree(github, { baseTree: trial.baseTree, entries: [entry] });
  const { delivered } = await publishPatch(github, {
    ...trial,
    taskId,
    expectedTree,
    changes: [{ path, before: undefined, after: { mode: '100644', bytes: Buffer.from(content) } }],
    commitMessage: `Try out this repository\n\nPhoton-Task: ${taskId}\n`,
    renderText: () => ({
      title: 'Photon tries out this repository',
      body: `This pull request is closed again in a moment.\n\n<!-- photon:task=${taskId} -->\n`,
    }),
    draft: true,
    extras: {
      labels: [],
      reviewers: [],
      teamReviewers: [],
      assignees: [],
      autoMerge: 'off',
      held: true,
    },
    dispatchWorkflow: '',
  });
  return delivered;
}

async function commentTwice({ github, taskId }: Trial, number: number) {
  const conversation = { kind: 'pull-request', number } as const;
  const marker = `<!-- photon:task=${taskId} -->`;
  const post = (body: string) => postComment(github, { conversation, body, marker });
  const first = await post('Photon tries out comments.');
  const second = await post('Photon updated its comment.');
  assert.equal(second.id, first.id, 'the second text became a comment of its own');
}

async function commentOnLine(
  { github }: Trial,
  { pullRequestNumber: number = 0, commit = '' }: Awaited<ReturnType<typeof publish>>,
) {
  const comments = [{ path, start: 3, end: 3, body: 'On a line.' }];
  const review = { number, commit, body: 'Photon tries out a review.', comments };
  await postReviewOnce(github, review, async () => undefined);
  const { threads } = await fetchReviews(github, number);
  const thread = threads.find(each => each.path === path);
  assert.ok(thread, 'GraphQL lists no thread for it');
  return thread;
}

async function tryPullRequest(trial: Trial) {
  const { github, branch, baseCommit } = trial;
  const first = await check('publishes a draft', () => publish(trial, 'first'));
  const number = first.pullRequestNumber ?? 0;
  const delivered = await check('updates the same pull request', async () => {
    const second = await publish(trial, 'second');
    assert.deepEqual([second.operation, second.pullRequestNumber], ['updated', number]);
    return second;
  });
  await check('refuses a branch that has moved', async () => {
    const change = { name: `refs/heads/${branch}`, before: baseCommit, after: baseCommit };
    assert.equal((await swapRefs(github, [change])).ok, false);
  });
  await check('keeps one comment up to date', () => commentTwice(trial, number));
  const thread = await check('takes a comment on a line', () => commentOnLine(trial, delivered));
  await check('resolves a review thread', async () => {
    await resolveThread(github, thread.id);
    const { threads } = await fetchReviews(github, number);
    assert.ok(threads.find(({ id }) => id === thread.id)?.isResolved, 'it is still open');
  });
}

/** Closes the pull request and deletes the branch, if there are any. */
async function takeBack({ github, branch }: Trial) {
  const { data } = await github.rest.pulls.list({ ...github.where, state: 'open', per_page: 100 });
  const number = data.find(({ head }) => head.ref === branch)?.number;
  if (number === undefined) return;
  const [pull] = await listOwnPulls({ github, settings: { branchPrefix } }, number);
  assert.ok(pull, 'it is not found as a pull request of Photon');
  const { code, message } = await undoPull(github, pull);
  assert.equal(code, 'UNDONE', message);
  assert.equal(await readRef(github, `refs/heads/${branch}`), undefined, `${branch} is there`);
}

async function tryEndpoint() {
  const { apiKey, ...endpoint } = findEndpoint({
    baseUrl: env.PHOTON_BASE_URL ?? '',
    apiKey: readTerminalKeys(env),
    model: env.PHOTON_MODEL ?? '',
  });
  const examine = (model: string) =>
    examineModel({ ...endpoint, ...limit, model, apiKey: async () => apiKey, log: say });
  const found = await check(`${endpoint.model} answers`, async () => {
    const report = await examine(endpoint.model);
    assert.ok(report.plain, report.failure?.message);
    return report;
  });
  await check('calls tools', async () => assert.ok(found.tools));
  await check('streams', async () => assert.ok(found.streams));
  await check('refuses an unknown model', async () => {
    const { plain, failure } = await examine('photon-no-such-model');
    assert.ok(!plain && failure !== undefined, 'it answered');
  });
}

if (repository === undefined) await tryEndpoint();
else {
  const trial = await check('reads the repository', () => openTrial(repository));
  try {
    await tryPullRequest(trial);
  } finally {
    await check('takes everything back', () => takeBack(trial));
  }
}
limit.close();
