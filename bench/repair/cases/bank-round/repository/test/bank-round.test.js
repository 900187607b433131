import assert from 'node:assert/strict';
import test from 'node:test';
import { interest, roundHalfEven, splitAmount } from '../src/bank-round.js';

test('whole numbers stay', () => assert.equal(roundHalfEven(3), 3));
test('below a half', () => assert.equal(roundHalfEven(2.4), 2));
test('above a half', () => assert.equal(roundHalfEven(2.6), 3));
test('a half goes down to even', () => assert.equal(roundHalfEven(2.5), 2));
test('a half goes up to even', () => assert.equal(roundHalfEven(3.5), 4));
test('the first half', () => assert.equal(roundHalfEven(0.5), 0));
test('below zero, down to even', () => assert.equal(roundHalfEven(-1.5), -2));
test('below zero, up to even', () => assert.equal(roundHalfEven(-2.5), -2));
test('below zero, no half', () => assert.equal(roundHalfEven(-2.6), -3));
test('splits evenly', () => assert.deepEqual(splitAmount(900, 3), [300, 300, 300]));
test('splits with a rest', () => assert.deepEqual(splitAmount(1001, 3), [334, 334, 333]));
test('splits among nobody', () => assert.throws(() => splitAmount(5, 0), RangeError));
test('interest', () => assert.equal(interest(1050, 3), 32));
test('interest of a half cent', () => assert.equal(interest(250, 1), 2));
