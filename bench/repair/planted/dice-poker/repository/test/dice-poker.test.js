import assert from 'node:assert/strict';
import test from 'node:test';
import { bestKind, countsOf, longestRow, pointsFor } from '../src/dice-poker.js';

test('counts', () =>
  assert.deepEqual(countsOf([2, 5, 2, 5, 5]), [
    [5, 3],
    [2, 2],
  ]));
test('row', () => assert.equal(longestRow([3, 1, 2, 6, 2]), 3));
test('three', () => assert.equal(pointsFor('three', [4, 4, 4, 1, 2]), 15));
test('not three', () => assert.equal(pointsFor('three', [4, 4, 3, 1, 2]), 0));
test('four', () => assert.equal(pointsFor('four', [4, 4, 4, 4, 2]), 18));
test('house', () => assert.equal(pointsFor('house', [3, 3, 3, 6, 6]), 25));
test('no house', () => assert.equal(pointsFor('house', [3, 3, 3, 6, 5]), 0));
test('small', () => assert.equal(pointsFor('small', [1, 2, 3, 4, 6]), 30));
test('large', () => assert.equal(pointsFor('large', [6, 2, 3, 4, 5]), 40));
test('yatzy', () => assert.equal(pointsFor('yatzy', [1, 1, 1, 1, 1]), 50));
test('chance', () => assert.equal(pointsFor('chance', [1, 2, 3, 4, 6]), 16));
test('best', () => assert.equal(bestKind([3, 3, 3, 6, 6]), 'house'));
test('best of a row', () => assert.equal(bestKind([1, 2, 3, 4, 5]), 'large'));
