/** Images behind a text, in the form of each API. */
import { describe, expect, it } from 'vitest';
import { firstFacts } from '../../../src/model/apis/api.ts';
import { chatApi } from '../../../src/model/apis/chat.ts';
import { messagesApi } from '../../../src/model/apis/messages.ts';
import { responsesApi } from '../../../src/model/apis/responses.ts';
import { facts, request } from './requests.ts';

describe('images behind a text', () => {
  const images = {
    list: [{ mediaType: 'image/png', base64: 'AAAA' }],
    intro: 'One image follows.',
    instead: 'One image is not shown.',
  };
  const seen = request([{ role: 'user', text: 'Task', images }]);

  it('have the form of each API', () => {
    expect(responsesApi.body(seen, 'gpt-5', facts).input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Task\nOne image follows.' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
        ],
      },
    ]);
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    expect(messagesApi.body(seen, 'claude', facts).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Task\nOne image follows.' },
          { type: 'image', source, cache_control: { type: 'ephemeral' } },
        ],
      },
    ]);
    expect(chatApi.body(seen, 'gpt-4o', { ...firstFacts, images: true }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Task\nOne image follows.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ]);
  });

  it('are text where the endpoint takes none', () => {
    const none = { ...facts, images: false };
    const bodies = [
      responsesApi.body(seen, 'gpt-5', none),
      messagesApi.body(seen, 'claude', none),
      chatApi.body(seen, 'gpt-4o', firstFacts),
    ];
    for (const body of bodies) {
      expect(JSON.stringify(body)).toContain('Task\\nOne image is not shown.');
      expect(JSON.stringify(body)).not.toContain('AAAA');
    }
  });
});
