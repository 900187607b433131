import assert from 'node:assert/strict';
import test from 'node:test';
import { expandField, isDue } from '../src/cron-field.js';

test('one value', () => assert.deepEqual(expandField('5', 0, 59), [5]));
test('a star', () => assert.deepEqual(expandField('*', 1, 4), [1, 2, 3, 4]));
test('a range', () => assert.deepEqual(expandField('2-4', 0, 6), [2, 3, 4]));
test('a range of one', () => assert.deepEqual(expandField('3-3', 0, 6), [3]));
test('a list', () => assert.deepEqual(expandField('8,1,8', 0, 23), [1, 8]));
test('a step over all', () => assert.deepEqual(expandField('*/15', 0, 59), [0, 15, 30, 45]));
test('a step that meets the end', () => assert.deepEqual(expandField('0-30/10', 0, 59), [0, 10, 20, 30]));
test('a list of ranges', () => assert.deepEqual(expandField('1-2,5-6', 0, 6), [1, 2, 5, 6]));
test('too high', () => assert.throws(() => expandField('60', 0, 59), RangeError));
test('too low', () => assert.throws(() => expandField('0', 1, 31), RangeError));
test('backwards', () => assert.throws(() => expandField('5-1', 0, 6), /backwards/));
test('no number', () => assert.throws(() => expandField('x', 0, 6), RangeError));
test('no step of zero', () => assert.throws(() => expandField('*/0', 0, 6), RangeError));
test('is due', () => assert.equal(isDue('*/30 8-18', 18, 30), true));
test('is not due', () => assert.equal(isDue('*/30 8-18', 19, 0), false));
