import { describe, expect, it } from 'vitest';
import { writer } from '../../../doubles/events.ts';
import { resolve, useConversation } from '../conversation/conversation.ts';

useConversation();

describe('a dispatch', () => {
  it('carries its task, and one without is declined', async () => {
    const event = (task: unknown) => ({
      name: 'repository_dispatch',
      payload: { action: 'photon', client_payload: { task }, sender: writer },
    });
    expect((await resolve({ event: event('Do it.') })).task).toMatchObject({
      trigger: 'dispatch',
      prompt: 'Do it.',
      askedBy: 'wendy',
      baseRef: 'main',
    });
    for (const none of ['', 7, undefined])
      expect((await resolve({ event: event(none) })).declined).toContain('repository_dispatch');
  });
});
