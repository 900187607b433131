import assert from 'node:assert/strict';
import test from 'node:test';
import { fromBase, toBase } from '../src/radix-text.js';

test('binary', () => assert.equal(toBase(10, 2), '1010'));
test('hexadecimal', () => assert.equal(toBase(48_879, 16), 'beef'));
test('the largest base', () => assert.equal(toBase(35, 36), 'z'));
test('one digit more', () => assert.equal(toBase(36, 36), '10'));
test('negative', () => assert.equal(toBase(-255, 16), '-ff'));
test('zero', () => assert.equal(toBase(0, 10), '0'));
test('zero in binary', () => assert.equal(toBase(0, 2), '0'));
test('no base 1', () => assert.throws(() => toBase(1, 1), RangeError));
test('no base 37', () => assert.throws(() => toBase(1, 37), RangeError));
test('reads binary', () => assert.equal(fromBase('1010', 2), 10));
test('reads capitals', () => assert.equal(fromBase('-FF', 16), -255));
test('reads no strange digit', () => assert.throws(() => fromBase('12', 2), SyntaxError));
test('reads no empty text', () => assert.throws(() => fromBase('', 10), SyntaxError));
test('there and back', () => assert.equal(fromBase(toBase(123_456, 7), 7), 123_456));
