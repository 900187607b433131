import assert from 'node:assert/strict';
import test from 'node:test';
import { orderTasks } from '../src/task-order.js';

test('nothing to do', () => assert.deepEqual(orderTasks({}), []));
test('free tasks keep their order', () => assert.deepEqual(orderTasks({ b: [], a: [] }), ['b', 'a']));
test('a chain', () => assert.deepEqual(orderTasks({ c: ['b'], b: ['a'], a: [] }), ['a', 'b', 'c']));
test('a diamond', () => {
  assert.deepEqual(orderTasks({ end: ['l', 'r'], l: ['top'], r: ['top'], top: [] }), ['top', 'l', 'r', 'end']);
});
test('three needs', () => {
  assert.deepEqual(orderTasks({ d: ['a', 'b', 'c'], a: [], b: [], c: [] }), ['a', 'b', 'c', 'd']);
});
test('two groups', () => {
  assert.deepEqual(orderTasks({ b: ['a'], a: [], y: ['x'], x: [] }), ['a', 'x', 'b', 'y']);
});
test('a circle of two', () => assert.throws(() => orderTasks({ a: ['b'], b: ['a'] }), /each other/));
test('a task that needs itself', () => assert.throws(() => orderTasks({ a: ['a'] }), /each other/));
test('a circle behind a free task', () => {
  assert.throws(() => orderTasks({ s: [], a: ['s', 'b'], b: ['a'] }), /each other/);
});
test('an unknown need', () => assert.throws(() => orderTasks({ a: ['ghost'] }), /unknown task ghost/));
