import assert from 'node:assert/strict';
import test from 'node:test';
import { compareNatural, sortNames, splitRuns } from '../src/natural-order.js';

test('splits digits from the rest', () => assert.deepEqual(splitRuns('ab12c3'), ['ab', '12', 'c', '3']));
test('splits an empty name', () => assert.deepEqual(splitRuns(''), []));
test('plain words', () => assert.equal(compareNatural('apple', 'pear'), -1));
test('the other way round', () => assert.equal(compareNatural('pear', 'apple'), 1));
test('equal names', () => assert.equal(compareNatural('a1b', 'a1b'), 0));
test('9 is before 10', () => assert.equal(compareNatural('file9', 'file10'), -1));
test('100 is after 20', () => assert.equal(compareNatural('v100', 'v20'), 1));
test('leading zeros do not matter', () => assert.equal(compareNatural('a007', 'a7'), 0));
test('what follows the number decides', () => assert.equal(compareNatural('a2c', 'a2b'), 1));
test('a shorter name is first', () => assert.equal(compareNatural('a1', 'a1b'), -1));
test('digits are before letters', () => assert.equal(compareNatural('1', 'a'), -1));
test('sorts a list', () => {
  assert.deepEqual(sortNames(['p12', 'p2', 'q1', 'p1']), ['p1', 'p2', 'p12', 'q1']);
});
