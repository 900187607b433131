import assert from 'node:assert/strict';
import test from 'node:test';
import { buy, gainOf, meanPrice, sell, worth } from '../src/stock-lots.js';

const lots = [
  [5, 10],
  [5, 12],
];

test('sells the oldest', () =>
  assert.deepEqual(sell(lots, 3), [
    30,
    [
      [2, 10],
      [5, 12],
    ],
  ]));
test('sells from two lots', () => assert.deepEqual(sell(lots, 7), [74, [[3, 12]]]));
test('sells all', () => assert.deepEqual(sell(lots, 10), [110, []]));
test('cannot sell what is not there', () => assert.throws(() => sell(lots, 11), RangeError));
test('buys', () =>
  assert.deepEqual(buy(lots, 2, 15), [
    [5, 10],
    [5, 12],
    [2, 15],
  ]));
test('joins lots of the same price', () =>
  assert.deepEqual(buy(lots, 2, 12), [
    [5, 10],
    [7, 12],
  ]));
test('worth', () => assert.equal(worth(lots), 110));
test('mean price', () =>
  assert.equal(
    meanPrice([
      [1, 10],
      [2, 11],
    ]),
    10,
  ));
test('mean price of nothing', () => assert.equal(meanPrice([]), 0));
test('gain', () =>
  assert.equal(
    gainOf([
      ['buy', 4, 10],
      ['sell', 3, 15],
    ]),
    15,
  ));
test('gain over two lots', () =>
  assert.equal(
    gainOf([
      ['buy', 1, 10],
      ['buy', 1, 20],
      ['sell', 2, 20],
    ]),
    10,
  ));
