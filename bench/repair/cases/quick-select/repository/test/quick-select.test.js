import assert from 'node:assert/strict';
import test from 'node:test';
import { median, quickSelect } from '../src/quick-select.js';

test('the smallest', () => assert.equal(quickSelect([5, 3, 9, 1], 0), 1));
test('the largest', () => assert.equal(quickSelect([5, 3, 9, 1], 3), 9));
test('one in the middle', () => assert.equal(quickSelect([5, 3, 9, 1], 2), 5));
test('a single value', () => assert.equal(quickSelect([4], 0), 4));
test('equal values', () => assert.equal(quickSelect([2, 2, 2, 2], 3), 2));
test('every rank', () => {
  const values = [12, 7, 7, 3, 20, 15, 3, 9];
  const ranked = values.map((_, k) => quickSelect(values, k));
  assert.deepEqual(ranked, [3, 3, 7, 7, 9, 12, 15, 20]);
});
test('a rank too high', () => assert.throws(() => quickSelect([1, 2], 2), RangeError));
test('a rank too low', () => assert.throws(() => quickSelect([1, 2], -1), RangeError));
test('median of one', () => assert.equal(median([8]), 8));
test('median of an odd count', () => assert.equal(median([9, 1, 5]), 5));
test('median of an even count', () => assert.equal(median([4, 1, 3, 2]), 2.5));
test('median of nothing', () => assert.throws(() => median([]), RangeError));
