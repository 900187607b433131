import { expect, it } from 'vitest';
import { coAuthorOf } from '../../../../src/hosts/github/delivery/co-author.ts';

const of = (askedBy: string, payload: unknown) => coAuthorOf({ askedBy }, payload);
const ann = { login: 'ann', id: 7 };

it('the person who asked is named, by the account of the payload', () => {
  const trailer = 'Co-authored-by: ann <7+ann@users.noreply.github.com>';
  expect(of('ann', { sender: ann })).toBe(trailer);
  expect(of('ann', { sender: { login: 'bob', id: 8 }, comment: { user: ann } })).toBe(trailer);
});

it.each([
  ['somebody else', 'ann', { sender: { login: 'bob', id: 8 } }],
  ['a bot', 'app[bot]', { sender: { login: 'app[bot]', id: 9 } }],
  ['an id that is no number', 'ann', { sender: { login: 'ann', id: '7' } }],
  ['a login that is none', 'a\nb', { sender: { login: 'a\nb', id: 7 } }],
  ['no payload', 'ann', null],
])('%s is not named', (_, askedBy, payload) => expect(of(askedBy, payload)).toBe(''));
