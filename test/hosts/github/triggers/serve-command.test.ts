import { describe, expect, it } from 'vitest';
import { stranger } from '../../../doubles/events.ts';
import { github, say, useConversation } from '../conversation/conversation.ts';

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
        '/photon fix [TEXT]',
        '/photon approve DIGEST',
        '/photon undo [#NUMBER]',
      ]),
    );
    expect(task?.id).toBe('help-5-950');
    expect(github.state.reactions).toEqual([{ comment: 950, content: 'eyes' }]);
  });

  it.each([
    ['/photon fxi the discount', 'Did you mean `/photon fix [TEXT]`?'],
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
});
