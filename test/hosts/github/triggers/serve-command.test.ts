import { describe, expect, it } from 'vitest';
import { commentTime, stranger } from '../../../doubles/events.ts';
import { bot } from '../../../doubles/github-routes.ts';
import { github, ownPull, put, say, useConversation } from '../conversation/conversation.ts';

useConversation();

describe('help and status', () => {
  it('help is a table of every command, without a model and without a run', async () => {
    const { refused, task } = await say(
      '/photon help',
      {},
      { inputs: { model: '', 'api-key': '' } },
    );
    expect(refused).toMatchObject({ status: 'no_change', code: 'ANSWERED' });
    expect(refused?.commandAnswer?.table?.rows.map(r => r[0])).toEqual(
      expect.arrayContaining([
        '/photon fix [--model NAME] [TEXT]',
        '/photon approve DIGEST',
        '/photon undo [#NUMBER]',
      ]),
    );
    expect(task?.id).toBe('help-5-950');
    expect(github.state.reactions).toEqual([{ comment: 950, content: 'eyes' }]);
  });

  it.each([
    ['/photon fxi the discount', 'Did you mean `/photon fix [--model NAME] [TEXT]`?'],
    ['/photon Statsu', 'Did you mean `/photon status`?'],
    ['/photon dance', 'Unknown command. `/photon help`'],
  ])('%s gets one line of help, from people with write access alone', async (body, line) => {
    const { refused } = await say(body, {}, { inputs: { model: '' } });
    expect(refused).toMatchObject({ status: 'no_change', code: 'COMMAND_UNKNOWN' });
    expect(refused?.commandAnswer).toMatchObject({
      heading: '',
      lines: [expect.stringContaining(line)],
    });
    const { refused: nothing, task } = await say(body, { by: stranger, id: 951 });
    expect([nothing?.code, task]).toEqual(['NOT_AUTHORISED', undefined]);
  });

  it('a task without a model fails and says so, a help does not', async () => {
    const { refused } = await say('/photon fix it', {}, { inputs: { model: '' } });
    expect(refused).toMatchObject({ status: 'failed', code: 'MODEL_MISSING' });
  });

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
