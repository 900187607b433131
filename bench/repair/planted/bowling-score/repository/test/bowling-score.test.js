import assert from 'node:assert/strict';
import test from 'node:test';
import { bestRow, frameScores, frameText, score } from '../src/bowling-score.js';

const repeat = (pins, times) => Array(times).fill(pins);

test('all gutter', () => assert.equal(score(repeat(0, 20)), 0));
test('all ones', () => assert.equal(score(repeat(1, 20)), 20));
test('a spare', () => assert.equal(score([5, 5, 3, ...repeat(0, 17)]), 16));
test('a strike', () => assert.equal(score([10, 3, 4, ...repeat(0, 16)]), 24));
test('a perfect game', () => assert.equal(score(repeat(10, 12)), 300));
test('a spare at the end', () => assert.equal(score([...repeat(0, 18), 7, 3, 5]), 15));
test('frames', () => assert.deepEqual(frameScores([10, 3, 4, 1, 1]), [17, 7, 2]));
test('text of frames', () => {
  assert.equal(frameText(10), 'X');
  assert.equal(frameText(7, 3), '7/');
  assert.equal(frameText(0, 3), '-3');
});
test('strikes in a row', () => assert.equal(bestRow([10, 3, 4, 10, 10, 1, 1]), 2));
