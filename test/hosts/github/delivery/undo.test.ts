/** `/photon undo` in a conversation: what it closes, deletes and keeps. */
import { describe, expect, it } from 'vitest';
import { commentTime } from '../../../doubles/events.ts';
import type { PullState } from '../../../doubles/github-routes.ts';
import { github, ownPull, say, useConversation } from '../conversation/conversation.ts';

useConversation();

const branches = () => Object.keys(github.store.refs());

describe('undo', () => {
  it('closes the newest open pull request and deletes its branch', async () => {
    ownPull(7, 'fix-5-aaaaaaaa', { state: 'closed', mergedAt: commentTime });
    ownPull(8, 'fix-5-bbbbbbbb');
    const { refused } = await say('/photon undo');
    expect(refused).toMatchObject({ status: 'undone', code: 'UNDONE' });
    expect(refused?.delivered).toMatchObject({ operation: 'closed', pullRequestNumber: 8 });
    expect(github.state.pulls.get(8)?.state).toBe('closed');
    expect(branches()).toEqual(['refs/heads/main', 'refs/heads/photon/fix-5-aaaaaaaa']);
  });

  it('keeps a branch that holds a person’s commit', async () => {
    ownPull(8, 'fix-5-bbbbbbbb');
    github.store.push('photon/fix-5-bbbbbbbb', { mine: 'x' }, 'Mine');
    const { refused } = await say('/photon undo #8');
    expect(refused?.message).toContain('was kept');
    expect(github.state.pulls.get(8)?.state).toBe('closed');
    expect(branches()).toContain('refs/heads/photon/fix-5-bbbbbbbb');
  });

  it('keeps a commit of Photon’s that a person amended', async () => {
    const own = ownPull(8, 'fix-5-bbbbbbbb');
    const { store } = github;
    const tree = store.tree(own, [{ path: 'a', mode: '100644', sha: store.blob('a person’s\n') }]);
    const trailers = `Photon-Task: fix-5-bbbbbbbb\nPhoton-Tree: ${store.git(['rev-parse', `${own}^{tree}`])}\n`;
    const amended = store.commit(tree, [github.first], `Fix\n\n${trailers}`);
    store.git(['update-ref', 'refs/heads/photon/fix-5-bbbbbbbb', amended]);
    const { refused } = await say('/photon undo');
    expect(refused?.message).toContain('was kept');
    expect(store.refs()['refs/heads/photon/fix-5-bbbbbbbb']).toBe(amended);
  });

  it('keeps what is pushed between the look and the deletion, and says so', async () => {
    ownPull(8, 'fix-5-bbbbbbbb');
    let pushed = '';
    github.watch(({ path, stage }) => {
      if (path === '/graphql' && stage === 'before' && pushed === '')
        pushed = github.store.push('photon/fix-5-bbbbbbbb', { mine: 'x' }, 'Mine');
      return undefined;
    });
    const { refused } = await say('/photon undo');
    expect(refused).toMatchObject({
      code: 'UNDONE',
      message: expect.stringMatching(/closed.*pushed.*meantime/s),
    });
    expect(github.store.refs()['refs/heads/photon/fix-5-bbbbbbbb']).toBe(pushed);
  });

  it.each([403, 500])(
    'that cannot delete the branch (%i) fails and says what is left; the next undo deletes it',
    async status => {
      ownPull(8, 'fix-5-bbbbbbbb');
      const body = { message: 'Refused' };
      github.fail((_m, path) => path === '/graphql', {
        status,
        body,
        times: status === 403 ? 1 : 4,
      });
      const { refused } = await say('/photon undo');
      expect(refused).toMatchObject({
        status: 'failed',
        code: status === 403 ? 'GITHUB_AUTH' : 'GITHUB_UNAVAILABLE',
        message: expect.stringMatching(/#8 was closed.*could not delete its branch/s),
      });
      expect(branches()).toContain('refs/heads/photon/fix-5-bbbbbbbb');
      const again = await say('/photon undo');
      expect(again.refused).toMatchObject({
        code: 'UNDONE',
        message: expect.stringMatching(/#8 is closed.*was deleted/s),
      });
      expect(branches()).toEqual(['refs/heads/main']);
    },
  );

  it('says when the branch had already been deleted', async () => {
    ownPull(8, 'fix-5-bbbbbbbb', { headSha: github.first });
    github.store.files.setRef('refs/heads/photon/fix-5-bbbbbbbb', undefined);
    expect((await say('/photon undo')).refused?.message).toContain('had already been deleted');
  });

  it('works on Photon’s own pull request, and on nobody else’s', async () => {
    ownPull(8, 'fix-6-bbbbbbbb');
    github.state.pulls.set(9, {
      ...(github.state.pulls.get(8) as PullState),
      number: 9,
      head: 'main',
    });
    expect((await say('/photon undo', { number: 9, pull: true })).refused?.code).toBe(
      'UNDO_NOTHING',
    );
    expect((await say('/photon undo #8', { number: 9, pull: true })).refused?.code).toBe(
      'UNDO_NOTHING',
    );
    expect((await say('/photon undo', { number: 8, pull: true })).refused?.code).toBe('UNDONE');
  });

  it('closes no pull request of a fork that has the same branch name', async () => {
    ownPull(8, 'fix-5-bbbbbbbb', { fork: true });
    expect((await say('/photon undo')).refused?.code).toBe('UNDO_NOTHING');
    expect(github.state.pulls.get(8)?.state).toBe('open');
  });

  it('of a merged one changes nothing, and names the button of GitHub', async () => {
    ownPull(8, 'fix-5-bbbbbbbb', { state: 'closed', mergedAt: commentTime });
    const before = branches();
    const { refused } = await say('/photon undo #8');
    expect(refused).toMatchObject({
      status: 'abstained',
      code: 'UNDO_MERGED',
      message: expect.stringMatching(/^Pull request #8 was merged\. The button Revert at http/),
    });
    expect(branches()).toEqual(before);
    expect(github.writes().filter(({ method }) => method !== 'POST')).toEqual([]);
  });

  it('of nothing says so', async () => {
    expect((await say('/photon undo')).refused).toMatchObject({ code: 'UNDO_NOTHING' });
  });
});
