import assert from 'node:assert/strict';
import test from 'node:test';
import { mergeSorted, sortRecords } from '../src/merge-records.js';

const byAge = person => person.age;
const self = value => value;

test('merges two lists', () => assert.deepEqual(mergeSorted([1, 4], [2, 3, 5], self), [1, 2, 3, 4, 5]));
test('merges with an empty left list', () => assert.deepEqual(mergeSorted([], [1, 2], self), [1, 2]));
test('merges with an empty right list', () => assert.deepEqual(mergeSorted([1, 2], [], self), [1, 2]));
test('sorts nothing', () => assert.deepEqual(sortRecords([], self), []));
test('sorts one', () => assert.deepEqual(sortRecords([3], self), [3]));
test('sorts numbers', () => assert.deepEqual(sortRecords([5, 2, 9, 1, 7], self), [1, 2, 5, 7, 9]));
test('sorts words', () => assert.deepEqual(sortRecords(['pear', 'fig', 'apple'], self), ['apple', 'fig', 'pear']));
test('sorts by a key', () => {
  const sorted = sortRecords([{ name: 'Ida', age: 40 }, { name: 'Bo', age: 20 }], byAge);
  assert.deepEqual(sorted.map(p => p.name), ['Bo', 'Ida']);
});
test('equal keys keep their order', () => {
  const people = [
    { name: 'Ann', age: 30 },
    { name: 'Bob', age: 20 },
    { name: 'Cid', age: 30 },
    { name: 'Dan', age: 20 },
    { name: 'Eve', age: 30 },
  ];
  assert.deepEqual(sortRecords(people, byAge).map(p => p.name), ['Bob', 'Dan', 'Ann', 'Cid', 'Eve']);
});
test('does not change its input', () => {
  const values = [3, 1, 2];
  sortRecords(values, self);
  assert.deepEqual(values, [3, 1, 2]);
});
