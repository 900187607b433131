import assert from 'node:assert/strict';
import test from 'node:test';
import { countWays, fewestCoins } from '../src/coin-change.js';

const euro = [1, 2, 5, 10, 20, 50];

test('nothing is paid in one way', () => assert.equal(countWays(0, euro), 1));
test('one coin', () => assert.equal(countWays(1, euro), 1));
test('five', () => assert.equal(countWays(5, euro), 4));
test('ten', () => assert.equal(countWays(10, euro), 11));
test('order does not matter', () => assert.equal(countWays(3, [1, 2]), 2));
test('cannot be paid', () => assert.equal(countWays(3, [2]), 0));
test('no coins', () => assert.equal(countWays(4, []), 0));
test('fewest for nothing', () => assert.equal(fewestCoins(0, euro), 0));
test('fewest for 88', () => assert.equal(fewestCoins(88, euro), 6));
test('greedy would be wrong', () => assert.equal(fewestCoins(6, [1, 3, 4]), 2));
test('fewest cannot be paid', () => assert.equal(fewestCoins(7, [2, 4]), null));
test('exactly one coin', () => assert.equal(fewestCoins(50, euro), 1));
