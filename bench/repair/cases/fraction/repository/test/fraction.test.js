import assert from 'node:assert/strict';
import test from 'node:test';
import { add, fraction, gcd, multiply, sum } from '../src/fraction.js';

test('gcd', () => assert.equal(gcd(48, 36), 12));
test('gcd with zero', () => assert.equal(gcd(0, 5), 5));
test('gcd of negatives', () => assert.equal(gcd(-4, 6), 2));
test('lowest terms', () => assert.deepEqual(fraction(6, 8), [3, 4]));
test('the sign goes up', () => assert.deepEqual(fraction(1, -2), [-1, 2]));
test('no division by zero', () => assert.throws(() => fraction(1, 0), RangeError));
test('adds halves', () => assert.deepEqual(add([1, 2], [1, 2]), [1, 1]));
test('adds different parts', () => assert.deepEqual(add([1, 2], [1, 3]), [5, 6]));
test('adds below zero', () => assert.deepEqual(add([1, 6], [-2, 3]), [-1, 2]));
test('adds whole numbers', () => assert.deepEqual(add([2, 1], [3, 1]), [5, 1]));
test('multiplies', () => assert.deepEqual(multiply([2, 3], [3, 4]), [1, 2]));
test('sums a list', () => assert.deepEqual(sum([[1, 2], [1, 3], [1, 6]]), [1, 1]));
test('sums nothing', () => assert.deepEqual(sum([]), [0, 1]));
