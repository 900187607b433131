import assert from 'node:assert/strict';
import test from 'node:test';
import { bestSpan, bestTrade } from '../src/best-span.js';

test('nothing', () => assert.equal(bestSpan([]), null));
test('one value', () => assert.deepEqual(bestSpan([4]), { sum: 4, from: 0, to: 1 }));
test('one negative value', () => assert.deepEqual(bestSpan([-4]), { sum: -4, from: 0, to: 1 }));
test('negative values alone', () => assert.deepEqual(bestSpan([-3, -1, -2]), { sum: -1, from: 1, to: 2 }));
test('positive values alone', () => assert.deepEqual(bestSpan([1, 2, 3]), { sum: 6, from: 0, to: 3 }));
test('in the middle', () => {
  assert.deepEqual(bestSpan([-2, 1, -3, 4, -1, 2, 1, -5, 4]), { sum: 6, from: 3, to: 7 });
});
test('a small loss is bridged', () => assert.deepEqual(bestSpan([5, -1, 5]), { sum: 9, from: 0, to: 3 }));
test('a big loss is not', () => assert.deepEqual(bestSpan([5, -9, 6]), { sum: 6, from: 2, to: 3 }));
test('zero alone', () => assert.deepEqual(bestSpan([0]), { sum: 0, from: 0, to: 1 }));
test('the first of two', () => assert.deepEqual(bestSpan([3, -4, 3]), { sum: 3, from: 0, to: 1 }));
test('a trade', () => assert.equal(bestTrade([7, 1, 5, 3, 6, 4]), 5));
test('no trade', () => assert.equal(bestTrade([9, 7, 4]), 0));
test('no prices', () => assert.equal(bestTrade([]), 0));
