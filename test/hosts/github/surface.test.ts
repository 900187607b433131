import { describe, expect, it } from 'vitest';
import { addPull, comment, permit, stranger } from '../../doubles/events.ts';
import { startGitHub } from '../../doubles/github.ts';
import { bot } from '../../doubles/github-routes.ts';
import { resolveEvent } from '../../doubles/resolve-event.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { github, say, useConversation } from './conversation/conversation.ts';

useConversation();

describe('an outage', () => {
  const down = { status: 502, body: { message: 'Bad Gateway' }, times: 1000 };

  it.each(['/photon fix it', '/photon status', '/photon undo'])(
    'of the list of pull requests is told to who said %s',
    async words => {
      github.fail((method, path) => method === 'GET' && path.endsWith('/pulls'), down);
      const { refused, task } = await say(words);
      expect(refused).toMatchObject({ status: 'failed', code: 'GITHUB_UNAVAILABLE' });
      expect(task?.conversation).toMatchObject({ number: 5, comment: { id: 950 } });
    },
  );

  it('of the permission is not a no: the run fails, and nobody is answered', async () => {
    github.fail((_m, path) => path.endsWith('/permission'), down);
    await expect(say('/photon fix it')).rejects.toMatchObject({ code: 'GITHUB_UNAVAILABLE' });
    expect(github.writes()).toEqual([]);
  });

  it('of the token is not a no either', async () => {
    const body = { message: 'Bad credentials' };
    github.fail((_m, path) => path.endsWith('/permission'), { status: 401, body });
    await expect(say('/photon fix it')).rejects.toMatchObject({ code: 'GITHUB_AUTH' });
  });

  it('is not what GitHub says of an account that it does not know', async () => {
    const body = { message: 'Not Found' };
    github.fail((_m, path) => path.endsWith('/permission'), { status: 404, body });
    expect((await say('/photon fix it')).refused).toMatchObject({ code: 'NOT_AUTHORISED' });
  });
});

describe('a command on the pull request of a fork', () => {
  const onFork = (pushed: string | undefined, forks: 'refuse' | 'suggest') => {
    const sha = github.store.push('feature', { a: 'b' }, 'Work', new Date('2026-01-02T00:00:00Z'));
    if (pushed !== undefined)
      github.state.activities.push({ ref: 'refs/heads/feature', after: sha, timestamp: pushed });
    addPull(github.state, { fork: true, user: stranger });
    return say('/photon fix it', { number: 3, pull: true }, { config: { triggers: { forks } } });
  };

  it('carries the fork, its base, and the head that was asked about', async () => {
    const { task, refused } = await onFork('2026-02-01T00:00:00Z', 'suggest');
    expect(refused).toBeUndefined();
    expect(task).toMatchObject({ baseRef: 'main', headBranch: { number: 3, fork: true } });
    expect(github.seen.map(s => s.path)).toContain('/repos/forker/sample/activity');
  });

  it('is refused where its head cannot be pinned, or was pushed after', async () => {
    expect((await onFork(undefined, 'suggest')).refused).toMatchObject({
      status: 'abstained',
      code: 'HEAD_UNKNOWN',
    });
    expect((await onFork('2026-03-01T00:00:00Z', 'suggest')).refused?.code).toBe('HEAD_MOVED');
    expect((await onFork('2026-02-01T00:00:00Z', 'refuse')).refused?.code).toBe(
      'FORK_PULL_REQUEST',
    );
  });
});

describe('a token of a person', () => {
  it('finds that person’s comments, and nobody else’s', async () => {
    const own = await startGitHub({
      seed: sampleFiles,
      token: 'ghp_doubleTokenOfAPerson0000000000000000',
    });
    try {
      permit(own);
      own.state.surface.self = { login: 'owner', id: 77, type: 'User' };
      const mark = '<!-- photon:task=issue-5 -->';
      own.state.comments.set(1, { id: 1, issue: 5, body: mark, user: bot });
      const event = comment({ body: '/photon retry', id: 950 });
      const retry = async () => (await resolveEvent(own, { event })).planned[0];
      expect((await retry())?.refused?.code).toBe('RETRY_NOTHING');
      own.state.comments.set(2, { id: 2, issue: 5, body: mark, user: own.state.surface.self });
      expect((await retry())?.task?.id).toBe('issue-5');
    } finally {
      await own.close();
    }
  });
});
