import assert from 'node:assert/strict';
import test from 'node:test';
import { longestRise, removalsToRise } from '../src/rising-run.js';

test('nothing', () => assert.equal(longestRise([]), 0));
test('one', () => assert.equal(longestRise([5]), 1));
test('rising', () => assert.equal(longestRise([1, 2, 3, 4]), 4));
test('falling', () => assert.equal(longestRise([4, 3, 2, 1]), 1));
test('as in the textbook', () => assert.equal(longestRise([10, 9, 2, 5, 3, 7, 101, 18]), 4));
test('equal values do not rise', () => assert.equal(longestRise([7, 7, 7]), 1));
test('equal values among others', () => assert.equal(longestRise([1, 3, 3, 4]), 3));
test('negative values', () => assert.equal(longestRise([-3, -5, -1, 0, -2]), 3));
test('two hills', () => assert.equal(longestRise([0, 8, 4, 12, 2, 10, 6, 14, 1, 9]), 4));
test('nothing has to go', () => assert.equal(removalsToRise([1, 5, 9]), 0));
test('one of two equals has to go', () => assert.equal(removalsToRise([2, 2]), 1));
test('removals of a mixed list', () => assert.equal(removalsToRise([5, 1, 2, 2, 6]), 2));
