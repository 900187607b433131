import assert from 'node:assert/strict';
import test from 'node:test';
import { formatDuration, parseClock } from '../src/duration-text.js';

test('nothing', () => assert.equal(formatDuration(0), '0 s'));
test('seconds', () => assert.equal(formatDuration(59), '59 s'));
test('a minute', () => assert.equal(formatDuration(60), '1 min'));
test('minutes and seconds', () => assert.equal(formatDuration(125), '2 min 5 s'));
test('just below an hour', () => assert.equal(formatDuration(3599), '59 min 59 s'));
test('an hour', () => assert.equal(formatDuration(3600), '1 h'));
test('hours', () => assert.equal(formatDuration(7325), '2 h 2 min 5 s'));
test('a day', () => assert.equal(formatDuration(86_400), '1 d'));
test('a day and a second', () => assert.equal(formatDuration(86_401), '1 d 1 s'));
test('just below two days', () => assert.equal(formatDuration(172_799), '1 d 23 h 59 min 59 s'));
test('back in time', () => assert.equal(formatDuration(-61), '-1 min 1 s'));
test('a clock', () => assert.equal(parseClock('1:02:03'), 3723));
test('a short clock', () => assert.equal(parseClock('2:03'), 123));
test('no clock', () => assert.throws(() => parseClock('1:75'), SyntaxError));
