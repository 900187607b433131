/** Each trigger as a user has it, once: `runner-job.ts` says what is played. */
import { describe, expect, it } from 'vitest';
import { dashboardLabel } from '../../src/base/dashboard-state.ts';
import { addComment, commentTime } from '../doubles/events.ts';
import { startModel } from '../doubles/model.ts';
import { broken, finding, finish, fixed, record } from '../doubles/review-pull.ts';
import { begin, repairScript, sampleTask, testedByNode } from '../doubles/sample.ts';
import { canary } from '../harness.ts';
import {
  answers,
  comment,
  committed,
  configOf,
  event,
  expectPull,
  github,
  issue,
  issueEvent,
  openPull,
  play,
  playOne,
  pulls,
  sender,
  useRunner,
} from './runner-job.ts';

useRunner();

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
});

describe('a command', () => {
  it('in a comment on an issue becomes a pull request and an answer', async () => {
    const ended = await playOne({
      on: () => ({
        event: event('issue_comment', {
          action: 'created',
          issue,
          issueEvent,
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
        const { id, body, path } = said;
        addComment(of.state, { id, body, path, issue: 2, user: sender });
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
  it('on an issue becomes a pull request', async () => {
    const label = { name: 'photon' };
    const ended = await playOne({
      on: () => ({ event: issueEvent({ action: 'labeled', label }) }),
    });
    expectPull(ended);
    expect(answers()).toHaveLength(1);
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
            issueEvent,
            comment: comment(`/photon fix ${sampleTask}`),
          }),
        };
      },
    });
    expect(ended.outputs, ended.log).toMatchObject({ status: 'no_change', code: 'NOT_AUTHORISED' });
    expect([github.writes(), ended.model.requests]).toEqual([[], []]);
  });

  it('a job without the key of its model fails, and says so on the dashboard', async () => {
    const ended = await playOne({
      with: { task: sampleTask, model: 'gpt-5' },
      on: () => ({ event: event('workflow_dispatch', {}) }),
    });
    expect(ended.outputs, ended.log).toMatchObject({ status: 'failed', code: 'API_KEY_MISSING' });
    expect(ended.model.requests).toEqual([]);
    const [told, ...others] = [...github.state.comments.values()];
    expect(others).toEqual([]);
    expect(told?.body).toContain('API_KEY_MISSING');
    expect(github.state.issues.get(told?.issue ?? 0)?.labels).toEqual([dashboardLabel]);
  });
});
