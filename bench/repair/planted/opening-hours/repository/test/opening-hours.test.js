import assert from 'node:assert/strict';
import test from 'node:test';
import {
  describeHours,
  isOpen,
  minutesOf,
  minutesToOpening,
  openMinutes,
  textOf,
} from '../src/opening-hours.js';

const shop = [
  ['09:00', '12:30'],
  ['14:00', '18:00'],
];
const bar = [['20:00', '02:00']];

test('minutes', () => assert.equal(minutesOf('01:30'), 90));
test('text', () => assert.equal(textOf(605), '10:05'));
test('open', () => assert.equal(isOpen(shop, '10:15'), true));
test('closed at noon', () => assert.equal(isOpen(shop, '13:00'), false));
test('open after midnight', () => assert.equal(isOpen(bar, '01:00'), true));
test('closed in the afternoon', () => assert.equal(isOpen(bar, '15:00'), false));
test('waits', () => assert.equal(minutesToOpening(shop, '13:15'), 45));
test('waits until the next day', () => assert.equal(minutesToOpening(shop, '19:00'), 840));
test('never opens', () => assert.equal(minutesToOpening([], '10:00'), -1));
test('does not wait', () => assert.equal(minutesToOpening(shop, '15:00'), 0));
test('open minutes', () => assert.equal(openMinutes(shop), 450));
test('open minutes over midnight', () => assert.equal(openMinutes(bar), 360));
test('describes', () =>
  assert.equal(describeHours([shop[1], shop[0]]), '09:00–12:30, 14:00–18:00'));
test('describes nothing', () => assert.equal(describeHours([]), 'closed'));
