import assert from 'node:assert/strict';
import test from 'node:test';
import { fibonacci, identity, multiply, power } from '../src/matrix.js';

test('identity', () => assert.deepEqual(identity(2), [[1, 0], [0, 1]]));
test('one by one', () => assert.deepEqual(multiply([[3]], [[4]]), [[12]]));
test('two by two', () => assert.deepEqual(multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]), [[19, 22], [43, 50]]));
test('a row and a column', () => assert.deepEqual(multiply([[1, 2, 3]], [[4], [5], [6]]), [[32]]));
test('a column and a row', () => assert.deepEqual(multiply([[1], [2]], [[3, 4]]), [[3, 4], [6, 8]]));
test('the identity changes nothing', () => assert.deepEqual(multiply([[1, 2], [3, 4]], identity(2)), [[1, 2], [3, 4]]));
test('sizes that do not fit', () => assert.throws(() => multiply([[1, 2]], [[1, 2]]), RangeError));
test('power zero', () => assert.deepEqual(power([[2, 1], [1, 3]], 0), [[1, 0], [0, 1]]));
test('power one', () => assert.deepEqual(power([[2, 1], [0, 3]], 1), [[2, 1], [0, 3]]));
test('power three', () => assert.deepEqual(power([[1, 1], [0, 1]], 3), [[1, 3], [0, 1]]));
test('fibonacci', () => assert.deepEqual([0, 1, 2, 3, 10, 30].map(fibonacci), [0, 1, 1, 2, 55, 832_040]));
