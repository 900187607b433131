import assert from 'node:assert/strict';
import test from 'node:test';
import { heapSort } from '../src/heap-sort.js';

test('an empty list stays empty', () => assert.deepEqual(heapSort([]), []));
test('one value', () => assert.deepEqual(heapSort([7]), [7]));
test('two values in order', () => assert.deepEqual(heapSort([1, 2]), [1, 2]));
test('two values out of order', () => assert.deepEqual(heapSort([2, 1]), [1, 2]));
test('three values', () => assert.deepEqual(heapSort([3, 1, 2]), [1, 2, 3]));
test('already sorted', () => assert.deepEqual(heapSort([1, 2, 3, 4, 5, 6]), [1, 2, 3, 4, 5, 6]));
test('reversed', () => assert.deepEqual(heapSort([6, 5, 4, 3, 2, 1]), [1, 2, 3, 4, 5, 6]));
test('equal values stay', () => assert.deepEqual(heapSort([2, 1, 2, 1, 2]), [1, 1, 2, 2, 2]));
test('negative numbers', () => assert.deepEqual(heapSort([0, -5, 3, -1]), [-5, -1, 0, 3]));
test('another order', () => {
  assert.deepEqual(heapSort([4, 9, 1, 7], (a, b) => b - a), [9, 7, 4, 1]);
});
test('the input is left alone', () => {
  const values = [3, 2, 1];
  heapSort(values);
  assert.deepEqual(values, [3, 2, 1]);
});
test('many values', () => {
  const values = Array.from({ length: 100 }, (_, i) => (i * 37) % 101);
  assert.deepEqual(heapSort(values), values.toSorted((a, b) => a - b));
});
