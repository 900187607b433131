import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addPull, commentTime, stranger, writer } from '../../../doubles/events.ts';
import { bot, type PullState } from '../../../doubles/github-routes.ts';
import { discard, makeFolder } from '../../../harness.ts';
import { github, max, ownPull, put, say, useConversation } from './conversation.ts';

useConversation();

describe('retry', () => {
  it('is the last fix, with the answers since, by those who gave it', async () => {
    put({ id: 1, body: '/photon fix the first' });
    put({ id: 2, body: '/photon fix the second', createdAt: '2026-02-01T13:00:00Z' });
    put({ id: 3, body: '/photon answer percent', createdAt: '2026-02-01T14:00:00Z' });
    put({ id: 4, body: '/photon fix evil', user: stranger, createdAt: '2026-02-01T15:00:00Z' });
    put({
      id: 5,
      body: '/photon fix edited',
      createdAt: '2026-02-01T16:00:00Z',
      updatedAt: commentTime,
    });
    put({ id: 6, body: '> /photon fix quoted', createdAt: '2026-02-01T17:00:00Z' });
    const { task } = await say('/photon retry', { by: max }).then(async first => {
      expect(first.refused?.code).toBe('NOT_AUTHORISED');
      github.state.permissions.set('max', 'maintain');
      return say('/photon retry', { by: max });
    });
    expect(task).toMatchObject({
      prompt: 'the second\n\nAnswer by wendy: percent',
      askedBy: 'wendy',
      conversation: { number: 5, comment: { id: 2, kind: 'issue' } },
    });
    const { task: again } = await say('/photon fix the second');
    expect(task?.id).toBe(again?.id);
  });

  it('is the last task with the words that its run took in', async () => {
    put({ id: 1, body: '/photon fix the rounding' });
    const at = (minute: number) => ({ createdAt: `2026-02-01T13:0${minute}:00Z` });
    put({ id: 2, body: '/photon fix keep the name', ...at(1) });
    put({ id: 3, body: '> Photon is working on this\n\nand the tests', ...at(2) });
    put({ id: 4, body: '/photon stop', ...at(3) });
    put({ id: 5, body: 'Stopped.\n<!-- photon:taken=2 3 4 -->', user: bot, ...at(4) });
    const { task } = await say('/photon retry', { at: '2026-02-01T14:00:00Z' });
    expect(task?.prompt).toMatch(
      /^the rounding\n\n.*wendy: keep the name\n\n.*wendy: and the tests$/,
    );
    expect(task?.id).toBe((await say('/photon fix the rounding')).task?.id);
  });

  it('finds a command in a review and at a line', async () => {
    github.store.push('feature', { a: 'b' }, 'Work', new Date('2026-01-02T00:00:00Z'));
    addPull(github.state);
    const at = { issue: 3, createdAt: '2026-02-01T13:00:00Z' };
    put({ id: 1, body: '/photon fix the line', path: 'src/price.js', ...at });
    const said = { number: 3, pull: true };
    expect((await say('/photon retry', said)).task).toMatchObject({
      prompt: 'the line',
      place: { path: 'src/price.js', startLine: 4, endLine: 4 },
      conversation: { comment: { id: 1, kind: 'review' } },
    });
    github.state.surface.reviews.push({
      id: 2,
      pull: 3,
      body: '/photon fix the review',
      user: writer,
      submittedAt: '2026-02-01T14:00:00Z',
    });
    expect((await say('/photon retry', said)).task).toMatchObject({
      prompt: 'the review',
      conversation: { comment: { id: 2, kind: 'review-body' } },
    });
  });

  it('is the issue itself when a label had started it', async () => {
    expect((await say('/photon retry')).refused?.code).toBe('RETRY_NOTHING');
    put({ id: 1, body: '<!-- photon:task=issue-5 -->', user: stranger });
    expect((await say('/photon retry')).refused?.code).toBe('RETRY_NOTHING');
    put({ id: 2, body: '### Photon failed\n<!-- photon:task=issue-5 -->', user: bot });
    expect((await say('/photon retry')).task).toMatchObject({ id: 'issue-5' });
  });

  it('is not needed where Photon closed its pull request itself: that is nobody’s no', async () => {
    const { task } = await say('/photon fix it');
    ownPull(7, task?.id ?? '');
    expect((await say('/photon undo')).refused?.code).toBe('UNDONE');
    expect(github.state.pulls.get(7)?.state).toBe('closed');
    expect((await say('/photon fix it')).refused).toBeUndefined();
  });

  it('sets a person’s no aside, which a fix of the same words does not', async () => {
    const { task } = await say('/photon fix it');
    ownPull(7, task?.id ?? '', { state: 'closed' });
    const no = await say('/photon fix it');
    expect(no.refused).toMatchObject({ status: 'no_change', code: 'CLOSED_BEFORE' });
    expect(no.refused?.message).toContain('#7');
    expect((await say('/photon fix it otherwise')).refused).toBeUndefined();
    put({ id: 1, body: '/photon fix it' });
    expect((await say('/photon retry')).refused).toBeUndefined();
    (github.state.pulls.get(7) as PullState).mergedAt = commentTime;
    expect((await say('/photon fix it')).refused).toBeUndefined();
  });

  it('shows the patch of the earlier run as data, and reads no link', async () => {
    const folder = makeFolder();
    try {
      writeFileSync(join(folder, 'p.diff'), '--- a/src/price.js\n+++ b/src/price.js\n');
      const from = { workspace: folder, inputs: { 'from-patch': 'p.diff' } };
      const { task } = await say('/photon fix it', {}, from);
      expect(task?.context.at(-1)).toMatchObject({
        author: 'Photon',
        text: '--- a/src/price.js\n+++ b/src/price.js\n',
      });
      const { symlinkSync } = await import('node:fs');
      symlinkSync('/proc/self/environ', join(folder, 'link'));
      for (const path of ['link', 'none', '.', '/proc/self']) {
        const none = await say('/photon fix it', {}, { ...from, inputs: { 'from-patch': path } });
        expect(none.task?.context).toHaveLength(1);
        expect(none.log.join()).toContain('from-patch: the file holds no patch');
      }
    } finally {
      discard(folder);
    }
  });
});
