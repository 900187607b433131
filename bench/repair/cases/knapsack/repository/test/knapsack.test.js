import assert from 'node:assert/strict';
import test from 'node:test';
import { bestValue, byDensity, greedyValue } from '../src/knapsack.js';

const item = (weight, value) => ({ weight, value });
const camping = [item(1, 1), item(3, 4), item(4, 5), item(5, 7)];

test('no items', () => assert.equal(bestValue([], 10), 0));
test('no room', () => assert.equal(bestValue([item(1, 5)], 0), 0));
test('too heavy', () => assert.equal(bestValue([item(5, 9)], 4), 0));
test('just fits', () => assert.equal(bestValue([item(5, 9)], 5), 9));
test('each item once', () => assert.equal(bestValue([item(2, 3)], 10), 3));
test('all fit', () => assert.equal(bestValue(camping, 13), 17));
test('a choice', () => assert.equal(bestValue(camping, 7), 9));
test('two of the same kind', () => assert.equal(bestValue([item(3, 4), item(3, 4)], 9), 8));
test('better than greedy', () => {
  const items = [item(6, 7), item(5, 5), item(5, 5)];
  assert.equal(bestValue(items, 10), 10);
  assert.equal(greedyValue(items, 10), 7);
});
test('greedy takes what still fits', () => assert.equal(greedyValue(camping, 7), 8));
test('density', () => assert.deepEqual(byDensity(camping).map(i => i.weight), [5, 3, 4, 1]));
