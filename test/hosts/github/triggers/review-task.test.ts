import { beforeEach, describe, expect, it } from 'vitest';
import { addPull, commentTime, writer } from '../../../doubles/events.ts';
import { github, resolve, useConversation } from '../conversation/conversation.ts';

useConversation();

describe('a review', () => {
  const review = (more: object = {}) => ({
    name: 'pull_request_review',
    payload: {
      action: 'submitted',
      review: { id: 60, body: '/photon fix it', user: writer, submitted_at: commentTime, ...more },
      pull_request: {
        number: 3,
        title: 'Work',
        body: '',
        user: writer,
        head: { sha: github.store.git(['rev-parse', 'refs/heads/feature']) },
      },
    },
  });
  beforeEach(() => {
    github.store.push('feature', { a: 'b' }, 'Work', new Date('2026-01-02T00:00:00Z'));
    addPull(github.state);
  });

  it('gives a command by its body, and takes no reaction', async () => {
    const { task, refused } = await resolve({ event: review() });
    expect(refused).toBeUndefined();
    expect(task?.conversation).toMatchObject({ comment: { id: 60, kind: 'review-body' } });
    expect(github.writes()).toEqual([]);
  });

  it('without words is declined', async () => {
    expect((await resolve({ event: review({ body: null }) })).declined).toContain(
      'no /photon command',
    );
  });

  it('is refused when the head is another than the event’s', async () => {
    const event = review();
    github.store.push('feature', { a: 'c' }, 'More', new Date('2026-01-03T00:00:00Z'));
    expect((await resolve({ event })).refused?.code).toBe('HEAD_MOVED');
  });
});
