import { expect, it } from 'vitest';
import { foldRoles, joinUsers, type Message } from '../../src/model/turn.ts';

const user = (text: string): Message => ({ role: 'user', text });
const assistant: Message = { role: 'assistant', text: 'I read.', calls: [] };
const tool: Message = { role: 'tool', callId: 'c1', name: 'grep', text: 'a.ts:1' };

it('texts of a user in a row are one message', () => {
  expect(joinUsers([user('a'), user('b'), assistant, user('c')])).toEqual([
    user('a\n\nb'),
    assistant,
    user('c'),
  ]);
});

it('roles that a template does not take are folded into those that it takes', () => {
  const system: Message = { role: 'system', text: 'Rules.' };
  expect(foldRoles([system, user('Task.'), assistant, tool, user('Note.')])).toEqual([
    user('Rules.\n\nTask.'),
    assistant,
    { ...tool, text: 'a.ts:1\n\nNote.' },
  ]);
});
