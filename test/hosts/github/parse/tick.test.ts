import { expect, it } from 'vitest';
import { dashboardLabel, dashboardMarker } from '../../../../src/base/dashboard-state.ts';
import { parseTick } from '../../../../src/hosts/github/parse/tick.ts';

const box = (name: string, ticked: boolean) =>
  `- [${ticked ? 'x' : ' '}] <!-- photon:run=${name} --> ${name}`;
const dashboard = (...boxes: readonly string[]) => [dashboardMarker, ...boxes].join('\n');
const sender = { login: 'ann', id: 7, type: 'User' };
const edit = (after: string, before: string, more: object = {}) => ({
  action: 'edited',
  issue: { number: 3, body: after, labels: [{ name: dashboardLabel }] },
  changes: { body: { from: before } },
  sender,
  ...more,
});
const before = dashboard(box('lint', false), box('deps', true));
const after = dashboard(box('lint', true), box('deps', true));

it('the boxes that an edit ticks are asked for, and no others', () => {
  expect(parseTick(edit(after, before))).toEqual({ kind: 'tick', names: ['lint'], author: sender });
});

it.each([
  ['an edit that ticks none', edit(before, before)],
  ['another action', edit(after, before, { action: 'opened' })],
  [
    'an issue without the label',
    edit(after, before, { issue: { number: 3, body: after, labels: [] } }),
  ],
  ['an issue without the marker', edit(box('lint', true), box('lint', false))],
  ['no payload', null],
])('%s asks for nothing', (_, payload) => expect(parseTick(payload)).toBeUndefined());
