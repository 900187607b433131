import { describe, expect, it } from 'vitest';
import { commentTime, stranger } from '../../../doubles/events.ts';
import { bot } from '../../../doubles/github-routes.ts';
import { ownPull, put, say, useConversation } from '../conversation/conversation.ts';

useConversation();

describe('help and status', () => {
  it('status lists what Photon said and its pull requests, and believes no person’s mark', async () => {
    ownPull(7, 'fix-5-aaaaaaaa');
    ownPull(8, 'fix-5-bbbbbbbb', { state: 'closed', mergedAt: commentTime });
    ownPull(9, 'fix-55-cccccccc');
    const mark = (task: string) => `<!-- photon:task=${task} -->`;
    put({
      id: 1,
      user: bot,
      body: `**Not fixed**\n${mark('fix-5-dddddddd')}\n<!-- photon:end=VERIFY_FAILED -->\n`,
    });
    put({ id: 2, user: bot, body: `### Photon is working on this\n${mark('fix-5-aaaaaaaa')}` });
    put({ id: 3, user: stranger, body: `### Photon failed\n${mark('fix-5-eeeeeeee')}` });
    const { refused } = await say('/photon status');
    expect(refused?.commandAnswer?.table?.rows).toEqual([
      ['fix-5-dddddddd', 'VERIFY_FAILED', '–', '–'],
      ['fix-5-aaaaaaaa', 'at work', '#7', 'open'],
      ['fix-5-bbbbbbbb', '–', '#8', 'merged'],
    ]);
  });

  it('status says so when there is nothing', async () => {
    const { refused } = await say('/photon status');
    expect(refused?.commandAnswer?.lines).toEqual([
      'Photon has no task and no pull request in this conversation.',
    ]);
  });
});
