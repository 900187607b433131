/** Triggers and jobs beside those of `action-defaults.test.ts`. */
import { describe, expect, it } from 'vitest';
import { bot } from '../doubles/github-routes.ts';
import { startModel } from '../doubles/model.ts';
import { begin, done, look, prove, repair, sampleTask, testedByNode } from '../doubles/sample.ts';
import { playsVariants } from '../seed.ts';
import {
  answers,
  comment,
  configOf,
  event,
  expectPull,
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
  // as test/run/builtin.test.ts, with all defaults
  it.runIf(playsVariants)(
    'needs neither key nor model: the embedded engine repairs a failing test',
    async () => {
      const ended = await playOne({
        on: () => ({ event: event('workflow_dispatch', { inputs: { task: sampleTask } }) }),
        files: testedByNode,
        with: { task: sampleTask },
      });
      // other edits pass the same tests, so people look first
      expectPull(ended, { draft: true });
      expect(ended.model.requests).toEqual([]);
    },
  );

  it.runIf(playsVariants)('of a push is done on the branch that was pushed', async () => {
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
});

describe('a label or an assignment', () => {
  it('to the login of triggers.assignee becomes a pull request', async () => {
    const assignee = { login: 'photon-user' };
    const ended = await playOne({
      on: () => ({ event: issueEvent({ action: 'assigned', assignee }) }),
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
});
