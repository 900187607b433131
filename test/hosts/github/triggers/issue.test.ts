import { describe, expect, it } from 'vitest';
import { sample } from '../../../contract/sample.ts';
import { stranger, writer } from '../../../doubles/events.ts';
import type { PullState } from '../../../doubles/github-routes.ts';
import { sampleTask } from '../../../doubles/sample.ts';
import {
  github,
  max,
  ownPull,
  resolve,
  say,
  useConversation,
} from '../conversation/conversation.ts';

useConversation();

describe('an issue that is labelled or assigned', () => {
  const issue = { number: 5, title: 'Discount', body: sampleTask, user: writer };
  const labelled = (more: object = {}, name = 'photon') =>
    resolve({
      event: {
        name: 'issues',
        payload: { action: 'labeled', issue, label: { name }, sender: writer, ...more },
      },
    });

  it('is a task of its own, with the words of the event', async () => {
    const { task, refused } = await labelled();
    expect(refused).toBeUndefined();
    expect(task).toMatchObject({
      id: 'issue-5',
      trigger: 'label',
      askedBy: 'wendy',
      baseRef: 'main',
      context: [{ label: 'Issue', author: 'wendy', text: `Discount\n\n${sampleTask}` }],
    });
  });

  it('with another label, or by another action, starts nothing', async () => {
    expect((await labelled({}, 'bug')).refused?.code).toBe('EVENT_NOT_SERVED');
    expect((await labelled({ action: 'unlabeled' })).declined).toContain('unlabeled');
    expect((await labelled({ action: 'opened' })).declined).toContain('opened');
    expect(github.seen).toEqual([]);
  });

  it('by a stranger abstains, since nothing of it may be shown', async () => {
    const { refused } = await labelled({ issue: { ...issue, user: stranger } });
    expect(refused).toMatchObject({ status: 'abstained', code: 'TASK_EMPTY' });
  });

  it('is assigned to the login of the setting alone', async () => {
    const event = {
      name: 'issues',
      payload: { action: 'assigned', issue, assignee: { login: 'photon-user' }, sender: writer },
    };
    expect((await resolve({ event })).refused?.code).toBe('EVENT_NOT_SERVED');
    github.state.surface.issues.set(5, {
      assignees: [{ login: 'photon-user', id: 9, type: 'User' }],
    });
    const config = { triggers: { assignee: 'Photon-User' } };
    expect((await resolve({ event, config })).task).toMatchObject({ trigger: 'assignment' });
  });

  const linked = (body: string, state = 'open', repository = 'octo/sample') => {
    const urls = { url: null, html_url: null, diff_url: null, patch_url: null };
    const address = { repository_url: `http://127.0.0.1/repos/${repository}` };
    const about = { number: 9, body, state, pull_request: urls, labels: [] };
    const source = { type: 'issue', issue: sample('issue', { ...about, ...address }) };
    return sample('timeline-cross-referenced-event', { event: 'cross-referenced', source });
  };

  it.each([
    ['assigned to somebody else', { assignees: [max] }, 'is assigned to max'],
    ['closed', { state: 'closed' as const }, 'is closed'],
    ['claimed by a pull request', { timeline: [linked('Fixes #5')] }, '#9 is open'],
    ['claimed by its full name', { timeline: [linked('closes: octo/sample#5')] }, '#9 is open'],
  ])('that is %s is left alone', async (_name, about, says) => {
    github.state.surface.issues.set(5, about);
    const { refused } = await labelled();
    expect(refused).toMatchObject({ status: 'no_change', code: 'WORK_IN_PROGRESS' });
    expect(refused?.message).toContain(says);
    // an explicit command of a person does it all the same
    expect((await say('/photon fix it')).refused).toBeUndefined();
  });

  it.each([
    ['its own asker is assigned', { assignees: [writer] }],
    ['a pull request only mentions it', { timeline: [linked('See #5')] }],
    ['the pull request is closed', { timeline: [linked('Fixes #5', 'closed')] }],
    [
      'the pull request is of another repository',
      { timeline: [linked('Fixes #5', 'open', 'evil/sample')] },
    ],
    ['another number is closed', { timeline: [linked('Fixes #55')] }],
  ])('is done when %s', async (_name, about) => {
    github.state.surface.issues.set(5, about);
    expect((await labelled()).refused).toBeUndefined();
  });

  it('is left alone while a pull request of Photon is open, and when one was closed', async () => {
    ownPull(7, 'fix-5-aaaaaaaa');
    expect((await labelled()).refused).toMatchObject({ code: 'PULL_REQUEST_OPEN' });
    (github.state.pulls.get(7) as PullState).state = 'closed';
    expect((await labelled()).refused).toBeUndefined();
    ownPull(8, 'issue-5', { state: 'closed' });
    expect((await labelled()).refused).toMatchObject({ code: 'CLOSED_BEFORE' });
  });
});
