/** Every trigger as a user has it: the runner starts what `action.yml` names, with all defaults and a whole payload of GitHub. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dashboardLabel } from '../../src/base/dashboard-state.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import { addPull, commentTime, pushHead } from '../doubles/events.ts';
import type { GitFile } from '../doubles/git-store.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { bot, type Person } from '../doubles/github-routes.ts';
import { type ModelDouble, type Script, startModel } from '../doubles/model.ts';
import { broken, finding, finish, fixed, record } from '../doubles/review-pull.ts';
import { Runner, type Step, type StepEnd } from '../doubles/runner.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  repairScript,
  sampleFiles,
  sampleTask,
  sampleTest,
  testedByNode,
} from '../doubles/sample.ts';
import { canary, discard, fingerprint, makeFolder } from '../harness.ts';
import { playsVariants } from '../seed.ts';

type Fields = Readonly<Record<string, unknown>>;

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly Fields[];
}[];

/** The person of GitHub's examples, who has write access here. */
const sender: Person = { login: 'Codertocat', id: 21031067, type: 'User' };

/** The fields laid over an object, level by level. */
function over(base: unknown, fields: Fields): Fields {
  const isObject = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merged = Object.entries(fields).map(([key, value]) => [
    key,
    isObject(value) ? over(isObject(base) ? base[key] : {}, value) : value,
  ]);
  return { ...(isObject(base) ? base : {}), ...Object.fromEntries(merged) };
}

/** A whole payload as GitHub sends it, with what it says of this repository and this test. */
function event(name: string, fields: Fields): Step['event'] {
  const all = examples.find(e => e.name === name)?.examples ?? [];
  const example = all.find(payload => payload.action === fields.action) ?? all[0];
  if (example === undefined) throw new Error(`GitHub gives no example of ${name}`);
  const repository = { full_name: 'octo/sample', name: 'sample', default_branch: 'main' };
  return { name, payload: over(example, { repository, sender, ...fields }) };
}

/** Where an event happens, and what is checked out for it. */
interface Happened {
  readonly event: Step['event'];
  readonly ref?: string;
  readonly sha?: string;
  readonly checkout?: string;
}

interface Job {
  readonly with?: Readonly<Record<string, string>>;
  readonly script?: Script;
  readonly files?: Readonly<Record<string, GitFile | string>>;
  /** Arranges GitHub, and returns what happens there. */
  readonly on: (github: GitHubDouble) => Happened;
  /** Changes the checkout as an earlier step of the job does. */
  readonly before?: (workspace: string) => void;
  /** True: what it fetches is kept in the checkout's `.git`. */
  readonly fetches?: boolean;
  /**
   * True: Photon waits between its changes of GitHub, and finds the test command, as it does for a user. The others need
   * not be played so slowly: npm takes longer to start than all that a run does itself.
   */
  readonly unhurried?: boolean;
}

interface Ended extends StepEnd {
  readonly outcome: Outcome;
  readonly github: GitHubDouble;
  readonly model: ModelDouble;
}

let folder: string;
let github: GitHubDouble;
let jobs: number;

beforeEach(() => {
  folder = makeFolder();
  jobs = 0;
});
afterEach(async () => {
  await github.close();
  discard(folder);
});

/** Settings of the repository, with the test command of the sample. */
const configOf = (more: object) => JSON.stringify({ verify: { command: sampleTest }, ...more });

async function open(files: Job['files'] = {}): Promise<void> {
  github = await startGitHub({ seed: { ...sampleFiles, ...files } });
  github.state.permissions.set(sender.login, 'write');
  github.state.issues.set(1, { labels: [] });
}

/** Plays a job on the open GitHub, and checks what holds of every one. */
async function play(job: Job, model: ModelDouble): Promise<Ended> {
  const happened = job.on(github);
  const runner = new Runner(join(folder, `job-${jobs++}`));
  github.clone(runner.workspace, happened.checkout ?? 'main');
  job.before?.(runner.workspace);
  const state = () => fingerprint(join(runner.workspace, job.fetches ? 'src' : '.'));
  const before = state();
  try {
    const end = await runner.run({
      github,
      with: job.with ?? { 'api-key': canary, 'base-url': model.url, model: 'double' },
      event: happened.event,
      ref: happened.ref ?? 'refs/heads/main',
      sha: happened.sha ?? github.store.commitOf('main') ?? '',
      actor: sender.login,
      env: job.unhurried ? {} : { PHOTON_MUTATION_SPACING_MS: '0' },
    });
    expect(state(), 'the checkout is untouched').toBe(before);
    expect(github.violations).toEqual([]);
    expect(model.violations).toEqual([]);
    expect(end.undeclared).toEqual([]);
    const shown = [end.log.replace(/^::add-mask::.*$/gm, ''), end.summary].join('\n');
    for (const secret of [canary, github.token]) expect(shown).not.toContain(secret);
    const masked = [...end.log.matchAll(/^::add-mask::(.*)$/gm)].map(([, text]) => text);
    const secrets: unknown[] = [canary, github.token];
    expect(
      masked.filter(text => !secrets.includes(text)),
      'only keys are masked',
    ).toEqual([]);
    const path = end.outputs['outcome-path'];
    const outcome = JSON.parse(path ? readFileSync(path, 'utf8') : '{}') as Outcome;
    expect(end.exitCode, end.log).toBe(end.outputs.status === 'failed' ? 1 : 0);
    return { ...end, outcome, github, model };
  } finally {
    await model.close();
  }
}

/** One job on a new GitHub, with a model that plays the script, and what a user has to say of it. */
async function playOne(job: Job, also: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const isTested = job.unhurried || job.files?.['package.json'] !== undefined;
  await open(isTested ? job.files : { '.photon/config.json': configOf({}), ...job.files });
  const model = await startModel(job.script ?? repairScript);
  const given = { 'api-key': canary, 'base-url': model.url, model: 'double', ...also };
  return play({ with: given, ...job }, model);
}

/** Pull request 2 of the examples' author, pushed before every comment. */
function openPull(of: GitHubDouble, files: Record<string, string> = { 'NOTES.md': 'work\n' }) {
  const at = '2026-02-01T11:00:00Z';
  const sha = pushHead(of, files, at);
  addPull(of.state, { number: 2, user: sender });
  const base = of.store.commitOf('main') ?? '';
  const tree = of.store.git(['rev-parse', `${sha}^{tree}`]);
  const pull = {
    number: 2,
    title: 'Work',
    body: '',
    updated_at: commentTime,
    head: { ref: 'feature', sha },
    base: { ref: 'main', sha: base },
  };
  // GitHub runs a workflow of pull_request events on a merge commit of its own
  const merge = of.store.commit(tree, [base, sha], 'Merge');
  return { pull, sha, at: { ref: 'refs/pull/2/merge', sha: merge, checkout: 'feature' } };
}

const comment = (body: string) => ({ id: 900, body, created_at: commentTime });
const issue = { number: 1, title: 'Discount', body: sampleTask };
const pulls = () => [...github.state.pulls.values()].filter(({ user }) => user === bot);
const answers = () => [...github.state.comments.values()].filter(({ user }) => user === bot);
const fileOn = (branch: string | undefined) => github.store.git(['show', `${branch}:src/price.js`]);
const committed = { status: 'committed', code: 'COMMITTED' };

/** One pull request onto the branch, with the repair on its head. */
function expectPull({ outputs, log }: Ended, { base = 'main', draft = false } = {}): void {
  expect(outputs, log).toMatchObject(committed);
  expect(pulls()).toMatchObject([{ state: 'open', draft, base, head: outputs.branch }]);
  expect(fileOn(outputs.branch)).toContain('discountPercent / 100');
  expect(outputs['pull-request-number']).toBe(String(pulls()[0]?.number));
  expect(outputs.message).not.toBe('');
}

describe('a task in the workflow', () => {
  const dispatched = () => ({
    event: event('workflow_dispatch', { inputs: { task: sampleTask } }),
  });

  it('of workflow_dispatch becomes a pull request', async () => {
    const ended = await playOne({ on: dispatched, unhurried: true }, { task: sampleTask });
    expectPull(ended);
    expect(ended.outcome.sandbox.guarantees.every(({ holds }) => holds)).toBe(true);
    expect(answers()).toEqual([]);
  });

  // as test/run/builtin.test.ts, with all defaults
  it.runIf(playsVariants)(
    'needs neither key nor model: the embedded engine repairs a failing test',
    async () => {
      const ended = await playOne({
        on: dispatched,
        files: testedByNode,
        with: { task: sampleTask },
      });
      // other edits pass the same tests, so people look first
      expectPull(ended, { draft: true });
      expect(ended.model.requests).toEqual([]);
    },
  );

  it('of a push is done on the branch that was pushed', async () => {
    const ended = await playOne(
      {
        on: ({ store }) => ({
          event: event('push', { ref: 'refs/heads/main', after: store.commitOf('main') }),
        }),
      },
      { task: sampleTask },
    );
    expectPull(ended);
  });
});

describe('a command', () => {
  it('in a comment on an issue becomes a pull request and an answer', async () => {
    const ended = await playOne({
      on: () => ({
        event: event('issue_comment', {
          action: 'created',
          issue,
          comment: comment(`/photon fix ${sampleTask}`),
        }),
      }),
    });
    expectPull(ended);
    expect(github.state.reactions).toEqual([{ comment: 900, content: 'eyes' }]);
    expect(answers().map(({ body }) => body)).toEqual([
      expect.stringContaining('**Photon opened pull request #'),
    ]);
  });

  const pages = { url: 'https://api.github.com/repos/octo/sample/pulls/2' };

  it('in a comment on a pull request becomes a pull request onto its head', async () => {
    const ended = await playOne({
      on: of => {
        const { pull, at } = openPull(of);
        const { head: _head, base: _base, ...thread } = pull;
        return {
          // a comment runs on the default branch
          checkout: at.checkout,
          event: event('issue_comment', {
            action: 'created',
            issue: { ...thread, pull_request: pages },
            comment: comment(`/photon fix ${sampleTask}`),
          }),
        };
      },
    });
    expectPull(ended, { base: 'feature' });
    expect(answers()).toHaveLength(1);
  });

  it('in a review becomes a pull request onto the head of its pull request', async () => {
    const ended = await playOne({
      on: of => {
        const { pull, sha, at } = openPull(of);
        const body = `/photon fix ${sampleTask}`;
        return {
          ...at,
          event: event('pull_request_review', {
            action: 'submitted',
            review: { body, commit_id: sha, submitted_at: commentTime },
            pull_request: pull,
          }),
        };
      },
    });
    expectPull(ended, { base: 'feature' });
    expect(answers()).toHaveLength(1);
  });

  it('in a review comment becomes a pull request and an answer in the thread', async () => {
    const ended = await playOne({
      on: of => {
        const { pull, sha, at } = openPull(of);
        const said = { ...comment(`/photon fix ${sampleTask}`), path: 'src/price.js', line: 4 };
        of.state.comments.set(900, {
          issue: 2,
          path: said.path,
          id: 900,
          body: said.body,
          user: sender,
          createdAt: commentTime,
        });
        of.state.surface.threads.push({ id: 'T1', pull: 2, comments: [900] });
        return {
          ...at,
          event: event('pull_request_review_comment', {
            action: 'created',
            comment: { ...said, commit_id: sha },
            pull_request: pull,
          }),
        };
      },
    });
    expectPull(ended, { base: 'feature' });
    expect(answers()).toMatchObject([{ inReplyTo: 900 }]);
  });
});

describe('a label or an assignment', () => {
  const on = (fields: Fields) => () => ({
    event: event('issues', {
      issue: { ...issue, user: sender, updated_at: commentTime },
      ...fields,
    }),
  });

  it('on an issue becomes a pull request', async () => {
    const label = { name: 'photon' };
    const ended = await playOne({ on: on({ action: 'labeled', label }) });
    expectPull(ended);
    expect(answers()).toHaveLength(1);
  });

  it('to the login of triggers.assignee becomes a pull request', async () => {
    const assignee = { login: 'photon-user' };
    const ended = await playOne({
      on: on({ action: 'assigned', assignee }),
      files: { '.photon/config.json': configOf({ triggers: { assignee: assignee.login } }) },
    });
    expectPull(ended);
  });

  it('on a pull request becomes a pull request onto its head', async () => {
    const ended = await playOne({
      on: of => {
        const { pull, at } = openPull(of);
        const described = { ...pull, body: sampleTask };
        return {
          ...at,
          event: event('pull_request', {
            action: 'labeled',
            label: { name: 'photon' },
            pull_request: described,
          }),
        };
      },
    });
    expectPull(ended, { base: 'feature' });
  });
});

describe('what happens by itself', () => {
  it('a workflow that failed is repaired on its branch', async () => {
    const ended = await playOne({
      on: of => {
        const { sha, at } = openPull(of);
        of.state.surface.jobs.set(70, [{ id: 71, name: 'test', conclusion: 'failure' }]);
        of.state.surface.logs.set(71, '2026-01-01T00:00:00.0Z ##[error]200 is not 1800\n');
        const run = {
          id: 70,
          name: 'CI',
          conclusion: 'failure',
          status: 'completed',
          head_branch: 'feature',
          head_sha: sha,
          actor: sender,
        };
        return {
          checkout: at.checkout,
          event: event('workflow_run', { action: 'completed', workflow_run: run }),
        };
      },
    });
    expectPull(ended, { base: 'feature' });
    expect(JSON.stringify(ended.model.requests[0]?.body)).toContain('200 is not 1800');
  });

  it('a dispatch with a task becomes a pull request', async () => {
    const ended = await playOne({
      on: () => ({
        event: event('repository_dispatch', { client_payload: { task: sampleTask } }),
      }),
    });
    expectPull(ended);
  });

  const maintained = {
    '.photon/config.json': configOf({
      maintenance: [{ name: 'failing-tests', prompt: sampleTask }],
    }),
  };
  // older servers send nothing of the repository with it
  const schedule = { name: 'schedule', payload: { schedule: '0 3 * * *' } };

  it('a schedule plays the maintenance tasks, and a ticked box plays one again', async () => {
    const ended = await playOne({ on: () => ({ event: schedule }), files: maintained });
    expectPull(ended);
    const [number, dashboard] =
      [...github.state.issues].find(([, { labels }]) => labels.includes(dashboardLabel)) ?? [];
    const before = dashboard?.body ?? '';
    expect(before).toContain('failing-tests');
    for (const pull of pulls()) pull.state = 'closed';
    const body = before.replace(/- \[ \] (<!-- photon:run=failing-tests)/, '- [x] $1');
    const ticked = event('issues', {
      action: 'edited',
      issue: { number, title: dashboard?.title, body, labels: [{ name: dashboardLabel }] },
      changes: { body: { from: before } },
    });
    const model = await startModel(repairScript);
    const given = { 'api-key': canary, 'base-url': model.url, model: 'double' };
    const again = await play({ on: () => ({ event: ticked }), with: given }, model);
    expect(again.outputs, again.log).toMatchObject(committed);
    expect(again.outcome.task.maintenance).toBe('failing-tests');
  });

  it('a pull request with record changes keeps them when it is merged', async () => {
    const note = {
      text: 'What was learned here is worth a note. I put it where later runs find it.',
      calls: [
        {
          name: 'record_add',
          arguments: {
            keywords: ['money'],
            value: 'Prices are whole cents, and a total is rounded once.',
            evidence: 'src/price.js',
          },
        },
      ],
    };
    const first = await playOne(
      {
        on: () => ({ event: event('workflow_dispatch', {}) }),
        files: { '.photon/config.json': configOf({ memory: { records: true } }) },
        script: [begin, look, repair, note, prove, done],
      },
      { task: sampleTask },
    );
    expectPull(first);
    const [pull] = pulls();
    if (pull === undefined) throw new Error('no pull request');
    Object.assign(pull, { state: 'closed', merged: true });
    const { number, title, body } = pull;
    const closed = event('pull_request', {
      action: 'closed',
      pull_request: { number, title, body, user: bot, merged: true, merged_by: sender },
    });
    // the workflow gives no model: nothing of it is asked
    const ended = await play({ on: () => ({ event: closed }), with: {} }, await startModel([]));
    expect(ended.outputs, ended.log).toMatchObject({
      status: 'no_change',
      code: 'RECORDS_APPLIED',
    });
  });

  it('a pull request that was opened is reviewed in a job with mode: review', async () => {
    const ended = await playOne(
      {
        files: { ...testedByNode, 'src/price.js': fixed },
        script: [begin, record(finding()), finish],
        on: of => {
          const { pull, at } = openPull(of, { 'src/price.js': broken });
          return { ...at, event: event('pull_request', { action: 'opened', pull_request: pull }) };
        },
      },
      { mode: 'review' },
    );
    expect(ended.outputs, ended.log).toMatchObject({ status: 'answered', code: 'REVIEWED' });
    expect(github.state.reviews).toMatchObject([{ pull: 2 }]);
    const comments = github.state.reviews[0]?.comments ?? [];
    expect(comments).toMatchObject([
      { path: 'src/price.js', line: 9, body: expect.stringContaining('A negative total ships') },
      { path: 'src/price.js', line: 9, body: expect.stringContaining('No test notices') },
    ]);
    expect(pulls()).toEqual([]);
  });
});

describe('what starts nothing', () => {
  it.each([
    ['a comment without a command', 'issue_comment', { action: 'created', issue }],
    ['a label of another name', 'issues', { action: 'labeled', issue, label: { name: 'bug' } }],
    ['an event that is not served', 'push', {}],
  ])('%s ends without a request to GitHub or to a model', async (_what, name, fields) => {
    const ended = await playOne({ on: () => ({ event: event(name, fields) }) });
    expect(ended.outputs, ended.log).toMatchObject({
      status: 'no_change',
      code: 'EVENT_NOT_SERVED',
    });
    expect([github.seen, ended.model.requests]).toEqual([[], []]);
  });

  it('a command of somebody without write access is not answered', async () => {
    const ended = await playOne({
      on: ({ state }) => {
        state.permissions.set(sender.login, 'read');
        return {
          event: event('issue_comment', {
            action: 'created',
            issue,
            comment: comment(`/photon fix ${sampleTask}`),
          }),
        };
      },
    });
    expect(ended.outputs, ended.log).toMatchObject({ status: 'no_change', code: 'NOT_AUTHORISED' });
    expect([github.writes(), ended.model.requests]).toEqual([[], []]);
  });

  it('a job without the key of its model fails before it asks for anything', async () => {
    const ended = await playOne({
      with: { task: sampleTask, model: 'gpt-5' },
      on: () => ({ event: event('workflow_dispatch', {}) }),
    });
    expect(ended.outputs, ended.log).toMatchObject({ status: 'failed', code: 'API_KEY_MISSING' });
    expect(github.writes()).toEqual([]);
  });
});
