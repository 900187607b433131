import assert from 'node:assert/strict';
import test from 'node:test';
import { openBucket, refill, simulate, take, waitFor } from '../src/token-bucket.js';

test('is full at first', () => assert.equal(openBucket(5, 1).tokens, 5));
test('takes one', () => assert.equal(take(openBucket(5, 1), 0)[1].tokens, 4));
test('refuses too many', () => assert.equal(take(openBucket(5, 1), 0, 6)[0], false));
test('fills again', () => {
  const [, empty] = take(openBucket(5, 2), 0, 5);
  assert.equal(refill(empty, 1000).tokens, 2);
});
test('holds no more than its capacity', () =>
  assert.equal(refill(openBucket(5, 2), 9000).tokens, 5));
test('a clock that runs back', () => {
  const bucket = openBucket(5, 2, 500);
  assert.equal(refill(bucket, 100), bucket);
});
test('waits', () => {
  const [, empty] = take(openBucket(4, 2), 0, 4);
  assert.equal(waitFor(empty, 0), 500);
});
test('does not wait', () => assert.equal(waitFor(openBucket(4, 2), 0, 3), 0));
test('waits for ever', () => assert.equal(waitFor(openBucket(4, 2), 0, 5), Infinity));
test('a run of requests', () => {
  assert.deepEqual(
    simulate(2, 1, [
      [0, 1],
      [0, 1],
      [0, 1],
      [1500, 1],
      [1600, 1],
    ]),
    [true, true, false, true, false],
  );
});
